// SPDX-License-Identifier: Apache-2.0
import Time

/// One measured exchange of a request and its response.
///
///     server   ----- t2 === t3 -----     wall clock
///                   /         \
///     client   -- t1 --------- t4 --     local clock
public struct WallClockCandidate: Hashable, Sendable {
    /// Why a candidate cannot be used.
    public enum Fault: String, Hashable, Sendable, CaseIterable {
        case localTimeBackwards
        case serverTimeBackwards
        /// A time that is negative or has more than 32 bits of seconds.
        case timeOutOfRange
        /// The server says that it held the request for longer than the whole exchange took.
        case longerThanRoundTrip
        /// The server's precision or its greatest frequency error is absurd.
        case implausibleQuality
        case roundTripTooLong
    }

    static let longestExchange = Nanoseconds.seconds(10)

    /// t1
    public var requestSent: Monotonic
    /// t2
    public var requestReceived: WallClockInstant
    /// t3
    public var responseSent: WallClockInstant
    /// t3 of the response, if a follow-up has corrected it. A server may have read its clock for the follow-up when the
    /// response was long sent (pydvbcss does), so the dispersion relies on the earlier of both.
    public var responseSentAtFirst: WallClockInstant?
    /// t4
    public var responseReceived: Monotonic
    public var server: ClockQuality

    public init(
        requestSent: Monotonic, requestReceived: WallClockInstant, responseSent: WallClockInstant,
        responseSentAtFirst: WallClockInstant? = nil, responseReceived: Monotonic, server: ClockQuality
    ) {
        self.requestSent = requestSent
        self.requestReceived = requestReceived
        self.responseSent = responseSent
        self.responseSentAtFirst = responseSentAtFirst
        self.responseReceived = responseReceived
        self.server = server
    }

    /// Time on the network. Never negative of a candidate without fault, but for what the clocks' errors explain.
    public var roundTrip: Nanoseconds {
        responseReceived - requestSent - (responseSent - requestReceived)
    }

    /// Nil if the candidate can be used.
    func fault(local: ClockQuality) -> Fault? {
        let times = [requestReceived, responseSent, responseSentAtFirst ?? responseSent]
        let localTimes: ClosedRange<Int64> = 0...(1 << 62)
        guard times.allSatisfy(\.isRepresentable), localTimes.contains(requestSent.nanoseconds),
            localTimes.contains(responseReceived.nanoseconds)
        else { return .timeOutOfRange }
        guard server.isPlausible else { return .implausibleQuality }
        let exchange = responseReceived - requestSent
        guard exchange >= .zero else { return .localTimeBackwards }
        guard times.allSatisfy({ $0 >= requestReceived }) else { return .serverTimeBackwards }
        guard exchange <= Self.longestExchange else { return .roundTripTooLong }
        let error = server.frequencyError.relative(to: local.frequencyError).growth(over: exchange)
        let tolerance = Nanoseconds(error) + (server.precision + local.precision) * 2
        return roundTrip < -tolerance ? .longerThanRoundTrip : nil
    }

    /// Where the server's offset lies at the end of the exchange. The request was received at t1 or later, so the offset
    /// was at most t2 - t1; the response was sent at t4 or earlier, so it was at least t3 - t4. The candidate has no
    /// fault.
    /// - Parameter error: frequency error of the server's clock by the local one.
    func interval(local: ClockQuality, error: FrequencyError) -> OffsetInterval {
        let precision = (server.precision + local.precision).count
        let sent = min(responseSent, responseSentAtFirst ?? responseSent)
        return OffsetInterval(
            lower: sent.nanoseconds &- responseReceived.nanoseconds &- precision,
            upper: requestReceived.nanoseconds &- requestSent.nanoseconds &+ precision
                &+ error.growth(over: responseReceived - requestSent),
            at: responseReceived)
    }
}
