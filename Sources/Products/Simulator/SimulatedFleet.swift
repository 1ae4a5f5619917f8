// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Reports
import Simulating
import Time

/// The boxes of a simulated venue, which make reports and send them as real ones do: by `UploadSchedule`. It opens nothing
/// and reads no clock.
struct SimulatedFleet {
    enum Action {
        /// Send these reports of a box, of which the answer is told by the number of the request.
        case send(box: Int, request: UInt64, lines: [[UInt8]])
        /// Close the box's connection: its answer is not waited for any more.
        case abandon(box: Int)
    }

    struct Counters: Equatable {
        /// Reports that were made, and what became of them. What went up twice was sent twice.
        var made = 0
        var sent = 0
        var acknowledged = 0
        var refused = 0
        /// Requests of which anything left the box, and attempts that settled nothing, also those without a way.
        var requests = 0
        var failures = 0
    }

    private struct Box {
        var schedule: UploadSchedule
        var pending = PendingReports()
        var nextReport: Monotonic
        var lastState: Nanoseconds
        var hasRestarted = false
    }

    let venue: SimulatedVenue
    private let making: SimulatedReportMaking
    private let interval: Nanoseconds
    private let began: Monotonic
    private var random: SeededNoise
    private var boxes: [Box]
    private var queue: DueQueue
    private(set) var counters = Counters()
    /// Until when reports are made; nil: for ever.
    var end: Monotonic?

    /// - Parameters:
    ///   - wall: what boxes' clocks say at the start.
    ///   - seed: boots follow from it; two runs with one seed would tell a reporter other reports by the same names.
    init(_ venue: SimulatedVenue, interval: Nanoseconds, seed: UInt64, at now: Monotonic, wall: WallTime) {
        (self.venue, self.interval, began) = (venue, interval, now)
        making = SimulatedReportMaking(venue: venue, wall: wall)
        random = SeededNoise(seed: seed)
        queue = DueQueue(boxCount: venue.boxCount)
        boxes = (0..<venue.boxCount).map { number in
            let name = venue.identifier(of: number)
            return Box(
                schedule: UploadSchedule(box: name, interval: interval, at: now),
                nextReport: now + UploadSchedule.offset(of: name, within: interval), lastState: .zero)
        }
        for number in boxes.indices {
            boxes[number].pending.begin(BootID(ordinal: 1, nonce: random.next()), at: .zero)
            queue.set(number, to: boxes[number].nextReport)
        }
    }

    var pendingCount: Int { counters.made - counters.acknowledged - counters.refused - lostCount }
    private(set) var lostCount = 0

    // MARK: Time

    /// When something is to be done next; nil if nothing is.
    var nextDue: Monotonic? { mutating get { queue.next } }

    /// Does what is due, each at its own time, so that it does not matter how often this is called.
    mutating func actions(until now: Monotonic) -> [Action] {
        var actions: [Action] = []
        while let (due, box) = queue.pop(until: now) { work(box, at: due, &actions) }
        return actions
    }

    private mutating func work(_ number: Int, at now: Monotonic, _ actions: inout [Action]) {
        while boxes[number].nextReport <= now { report(number) }
        var next: Monotonic?
        attempts: while true {
            let (making, pending) = (making, boxes[number].pending)
            let action = boxes[number].schedule.next(at: now, &random) { octets in
                making.summary(of: pending, box: number, octets: octets)
            }
            switch action {
            case .wait(let until):
                next = until
                break attempts
            case .abandon:
                counters.failures += 1
                actions.append(.abandon(box: number))
            case .send(let request, let batch, _):
                if venue.isCutOff(number, at: now - began) {
                    counters.failures += 1
                    _ = boxes[number].schedule.answered(request, .failed(retryAfter: nil), at: now, &random)
                } else {
                    counters.requests += 1
                    counters.sent += batch.records.count
                    actions.append(.send(box: number, request: request, lines: batch.records.map(\.payload)))
                }
            }
        }
        let nextReport = end.map { boxes[number].nextReport < $0 } ?? true ? boxes[number].nextReport : nil
        queue.set(number, to: [next, nextReport].compactMap { $0 }.min())
    }

    // MARK: Reports

    private mutating func report(_ number: Int) {
        let instant = boxes[number].nextReport - began
        boxes[number].nextReport += interval
        if let end, began + instant >= end { return }
        if let restart = venue.restart(of: number), instant >= restart, !boxes[number].hasRestarted {
            boxes[number].hasRestarted = true
            boxes[number].pending.begin(BootID(ordinal: 2, nonce: random.next()), at: restart)
            boxes[number].lastState = restart
        }
        let last = boxes[number].lastState
        let lost = boxes[number].pending.lostCount
        if venue.events(of: number, from: last, to: instant) != nil {
            boxes[number].pending.add(isEvent: true, at: instant, last: last)
            counters.made += 1
        }
        boxes[number].pending.add(isEvent: false, at: instant, last: last)
        counters.made += 1
        boxes[number].lastState = instant
        lostCount += boxes[number].pending.lostCount - lost
    }

    // MARK: Answers

    /// - Returns: how many reports were acknowledged by it that were not before.
    @discardableResult
    mutating func answered(_ number: Int, _ request: UInt64, _ answer: UploadAnswer, at now: Monotonic) -> Int {
        let failures = boxes[number].schedule.counters.failures
        let settlement = boxes[number].schedule.answered(request, answer, at: now, &random)
        counters.failures += Int(boxes[number].schedule.counters.failures - failures)
        queue.set(number, to: now)
        guard let settlement else { return 0 }
        let acknowledged = boxes[number].pending.settle(settlement.acknowledged, of: settlement.boot)
        counters.acknowledged += acknowledged
        counters.refused += boxes[number].pending.settle(settlement.refused, of: settlement.boot)
        return acknowledged
    }
}
