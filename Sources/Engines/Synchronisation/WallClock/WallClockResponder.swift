// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// A wall clock server of DVB-CSS without its socket. The wall clock is the local clock, moved by a constant, and is
/// never steered. A request is answered at once or not at all, and nothing of a client is kept but how often it asks.
///
/// A pure value: any requests of any clients may be given.
public struct WallClockResponder: Sendable {
    public struct Limits: Equatable, Sendable {
        /// Of the requests of one address: eight boxes behind one, their bursts included.
        public var perClient: RateLimit
        public var ofAll: RateLimit
        /// Clients whose rate is remembered.
        public var clients: Int

        /// - Parameter clients: at least 1.
        public init(
            perClient: RateLimit = RateLimit(atOnce: 256, perSecond: 100),
            ofAll: RateLimit = RateLimit(atOnce: 4_000, perSecond: 20_000), clients: Int = 1_024
        ) {
            precondition(clients >= 1)
            (self.perClient, self.ofAll, self.clients) = (perClient, ofAll, clients)
        }
    }

    /// What a response says beside the originate time value, which is returned as it came.
    public struct Answer: Hashable, Sendable {
        public let requestReceived: WallClockInstant
        /// By the instant that was given with the request. Send the response at once.
        public let responseSent: WallClockInstant
        public let server: ClockQuality
    }

    private struct Client {
        var meter = RateMeter()
        var lastAsked: Monotonic
    }

    private static let toleratedStepBack = Nanoseconds.seconds(1)

    private let quality: ClockQuality
    /// Wall clock minus local clock, nanoseconds.
    private let offset: Int64
    private let limits: Limits
    private var clients: [NumericAddress: Client] = [:]
    private var all = RateMeter()
    private var latest: Monotonic?
    public private(set) var counters = WallClockResponderCounters()

    /// - Parameter quality: what the local clock is good for; plausible.
    public init(quality: ClockQuality, offset: Nanoseconds = .zero, limits: Limits = Limits()) {
        precondition(quality.isPlausible)
        self.quality = quality
        self.offset = offset.count
        self.limits = limits
    }

    public var clientCount: Int { clients.count }

    public func wallClock(at local: Monotonic) -> WallClockInstant {
        WallClockInstant(nanoseconds: local.nanoseconds.clampedSum(offset))
    }

    /// - Parameters:
    ///   - arrival: stamp of the kernel or of the interface. One in the future counts as now.
    ///   - now: when the response is sent.
    /// - Returns: nil if the request is not answered.
    public mutating func requestReceived(
        from client: NumericAddress, arrival: Monotonic, now: Monotonic
    ) -> Answer? {
        counters.requests += 1
        advance(to: now)
        let (received, sent) = (wallClock(at: min(arrival, now)), wallClock(at: now))
        guard received.isRepresentable, sent.isRepresentable else {
            counters.requestsOutOfRange += 1
            return nil
        }
        guard all.admits(limits.ofAll, at: now) else {
            counters.requestsOverTotalRate += 1
            return nil
        }
        var record = clients[client] ?? Client(lastAsked: now)
        record.lastAsked = now
        let isAdmitted = record.meter.admits(limits.perClient, at: now)
        if isAdmitted {
            record.meter.count(limits.perClient, at: now)
            all.count(limits.ofAll, at: now)
        } else {
            counters.requestsOverRate += 1
        }
        if clients[client] == nil { makeRoom(at: now) }
        clients[client] = record
        guard isAdmitted else { return nil }
        return Answer(requestReceived: received, responseSent: sent, server: quality)
    }

    /// A datagram came that is no CSS-WC message.
    public mutating func datagramMalformed() { counters.datagramsMalformed += 1 }

    /// A message came that is no request.
    public mutating func messageUnexpected() { counters.messagesUnexpected += 1 }

    private mutating func makeRoom(at now: Monotonic) {
        guard clients.count >= limits.clients else { return }
        clients = clients.filter { !$0.value.meter.isUnused(at: now) }
        // One quarter at once, so that a flood of made-up addresses is sorted seldom.
        guard clients.count >= limits.clients else { return }
        let oldest = clients.sorted { $0.value.lastAsked < $1.value.lastAsked }.prefix(max(1, limits.clients / 4))
        for (address, _) in oldest { clients[address] = nil }
        counters.clientsForgotten += UInt64(oldest.count)
    }

    private mutating func advance(to now: Monotonic) {
        if let latest, latest.elapsed(since: now) > Self.toleratedStepBack {
            counters.localStepsBack += 1
            clients = [:]
            all = RateMeter()
            self.latest = now
        }
        latest = max(latest ?? now, now)
    }
}
