// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// Decides when a box sends which of its reports, and what an answer settles. It opens no connection and reads no
/// clock.
///
/// One request is under way at a time. The newest state report goes first, so that a box that was offline shows at once
/// how it is; then the others follow, the oldest first. Boxes that start together, or lost their reporter together, do
/// not come together: the first attempt is at an offset that follows from the box's id, and pauses after failures are
/// drawn.
public struct UploadSchedule: Sendable {
    /// The least time from one request to the next: five a second.
    static let leastPause = Nanoseconds.milliseconds(200)
    /// Of pauses after failures: each is drawn between zero and a bound, which doubles from the one to the other.
    static let firstPause = Nanoseconds.seconds(1)
    static let longestPause = Nanoseconds.seconds(300)
    /// What a reporter may ask for at most with `Retry-After`.
    static let longestRetry: Int64 = 3_600
    /// How long a request may take.
    public static let longestRequest = Nanoseconds.seconds(30)
    /// Octets of a batch. After a failure the next one is half as large, so that a slow link takes it in time.
    static let batchOctets = 4_096...262_144

    public enum Action: Equatable, Sendable {
        /// Send this batch. The answer is to come before the deadline, with the number of the request.
        case send(request: UInt64, SpoolBatch, deadline: Monotonic)
        /// The deadline has passed: end the request.
        case abandon(request: UInt64)
        /// Nothing is to be done before this instant; nil: before there is another report.
        case wait(until: Monotonic?)
    }

    private struct Request {
        let number: UInt64
        let boot: BootID
        let sequences: RangeSet<UInt64>
        let isBacklog: Bool
        let deadline: Monotonic
        let earliestNext: Monotonic
    }

    private enum State {
        case resting(until: Monotonic)
        case sending(Request)
    }

    public private(set) var counters = UploadCounters()
    /// Octets of the next batch.
    private var octets = UploadSchedule.batchOctets.upperBound
    /// How many reports the next batch may have.
    private var credit = Spool.mostRecords
    private var state: State
    private var lastRequest: UInt64 = 0
    private var failuresInARow = 0

    /// - Parameters:
    ///   - box: id of the box.
    ///   - interval: time from one state report to the next; the first attempt is within it.
    public init(box: String, interval: Nanoseconds, at now: Monotonic) {
        state = .resting(until: now + Self.offset(of: box, within: interval))
    }

    /// When a box does what all do once in the interval: the same at every start, by the checksum of the id.
    public static func offset(of box: String, within interval: Nanoseconds) -> Nanoseconds {
        let milliseconds = UInt32(clamping: max(1, interval.milliseconds))
        return .milliseconds(Int64(CRC32(.castagnoli, box.utf8).value % milliseconds))
    }

    // MARK: Sending

    /// To be called again after each action, until it says to wait, and when there is another report.
    /// - Parameter summary: gives what the spool has, in batches of so many octets; called when a request may be made.
    public mutating func next(
        at now: Monotonic, _ random: inout some RandomNumberGenerator, summary: (_ octets: Int) -> SpoolSummary
    ) -> Action {
        switch state {
        case .sending(let request):
            guard now >= request.deadline else { return .wait(until: request.deadline) }
            fail(request, nil, at: now, &random)
            return .abandon(request: request.number)
        case .resting(let until):
            guard now >= until else { return .wait(until: until) }
            let summary = summary(octets)
            guard let batch = summary.newest ?? summary.backlog else { return .wait(until: nil) }
            return send(batch.prefix(max(1, credit)), isBacklog: summary.newest == nil, at: now)
        }
    }

    private mutating func send(_ batch: SpoolBatch, isBacklog: Bool, at now: Monotonic) -> Action {
        lastRequest += 1
        counters.attempts += 1
        counters.inFlight = 1
        let deadline = now + Self.longestRequest
        state = .sending(
            Request(
                number: lastRequest, boot: batch.boot, sequences: batch.sequences, isBacklog: isBacklog,
                deadline: deadline, earliestNext: now + Self.leastPause))
        return .send(request: lastRequest, batch, deadline: deadline)
    }

    // MARK: Answers

    /// Takes an answer. One to a request that is over changes nothing, and of any other only what was sent counts.
    /// - Returns: what the spool is to settle; nil if that is nothing.
    public mutating func answered(
        _ number: UInt64, _ answer: UploadAnswer, at now: Monotonic, _ random: inout some RandomNumberGenerator
    ) -> Settlement? {
        guard case .sending(let request) = state, request.number == number else {
            counters.strayAnswers += 1
            return nil
        }
        switch answer {
        case .failed(let retryAfter): fail(request, retryAfter, at: now, &random)
        case .judged(let boot, let acknowledged, let refused, let retryAfter, let credit):
            let acknowledged = acknowledged.among(request.sequences)
            let refused = refused.among(request.sequences).subtracting(acknowledged)
            guard boot == request.boot, !acknowledged.isEmpty || !refused.isEmpty else {
                // Otherwise the same batch would go up five times a second.
                fail(request, retryAfter, at: now, &random)
                return nil
            }
            self.credit = credit
            succeed(request, retryAfter, at: now)
            return Settlement(boot, acknowledged: acknowledged, refused: refused)
        }
        return nil
    }

    /// Another reporter, or another way to it: what was learnt of the one before does not count.
    public mutating func restart(at now: Monotonic) {
        (octets, credit, failuresInARow) = (Self.batchOctets.upperBound, Spool.mostRecords, 0)
        if case .resting = state { state = .resting(until: now) }
    }

    private mutating func succeed(_ request: Request, _ retryAfter: Int64?, at now: Monotonic) {
        counters.successes += 1
        counters.inFlight = 0
        failuresInARow = 0
        if request.isBacklog { octets = min(Self.batchOctets.upperBound, octets * 2) }
        state = .resting(until: max(request.earliestNext, now + Self.wanted(retryAfter)))
    }

    private mutating func fail(
        _ request: Request, _ retryAfter: Int64?, at now: Monotonic, _ random: inout some RandomNumberGenerator
    ) {
        counters.failures += 1
        counters.inFlight = 0
        let bound = min(Self.longestPause, Self.firstPause * (Int64(1) << min(failuresInARow, 16)))
        failuresInARow += 1
        if request.isBacklog { octets = max(Self.batchOctets.lowerBound, octets / 2) }
        // The drawn pause comes on top of what the reporter asks for, as it asks all boxes for the same.
        let pause = Nanoseconds(Int64.random(in: 0...bound.count, using: &random)) + Self.wanted(retryAfter)
        state = .resting(until: max(request.earliestNext, now + pause))
    }

    private static func wanted(_ retryAfter: Int64?) -> Nanoseconds {
        .seconds(max(0, min(retryAfter ?? 0, longestRetry)))
    }
}
