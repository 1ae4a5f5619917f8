// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides which batches are taken, before anything is written. It is a value: time is an argument.
public struct Arrivals: Equatable {
    public struct Limits: Equatable, Sendable {
        /// Reports that one box may send in a second, on the average.
        public var ratePerBox: Int64 = 100
        /// Reports that it may send at once after it was silent.
        public var burstPerBox: Int64 = 1_000
        /// Reports and octets that wait for the disk, of all boxes together.
        public var queuedReports = 20_000
        public var queuedOctets = 64 << 20
        /// Work that may wait for the disk.
        public var delay = Nanoseconds.seconds(1)
        /// Boxes whose rates are known.
        public var boxes = 20_000
        /// Reports of one request.
        public var batch: Int64 = 100

        public init() {}
    }

    /// What waits for the disk, and how fast that goes.
    public struct Queue: Equatable, Sendable {
        public var reports: Int
        public var octets: Int
        /// What one report took of late, with all that belongs to it.
        public var perReport: Nanoseconds
        /// How long it takes what has come in and has not been looked at. Boxes are to send less at a time while there is much.
        public var unread = Nanoseconds.zero

        public init(reports: Int = 0, octets: Int = 0, perReport: Nanoseconds = .zero) {
            self.reports = reports
            self.octets = octets
            self.perReport = perReport
        }

        public var delay: Nanoseconds { perReport * Int64(reports) }
    }

    public enum Decision: Equatable {
        /// The batch is taken; the next one of this box may have so many reports.
        case take(credit: Int64)
        /// This box sends too much: 429, again after so many seconds.
        case slowDown(seconds: Int64)
        /// There is too much work: 503.
        case wait(seconds: Int64)
    }

    /// What a box may still send, in reports, by when that was.
    private struct Allowance: Equatable {
        var reports: Int64
        var at: Monotonic
    }

    public let limits: Limits
    private var allowances: [String: Allowance] = [:]

    public init(_ limits: Limits = Limits()) { self.limits = limits }

    public mutating func handle(
        box: String, reports: Int, octets: Int, _ queue: Queue, now: Monotonic
    ) -> Decision {
        let isFull = queue.reports + reports > limits.queuedReports || queue.octets + octets > limits.queuedOctets
        if isFull || queue.delay > limits.delay {
            return .wait(seconds: Self.wait(queue.delay, box))
        }
        var allowance = allowance(of: box, now: now)
        // What one request may have is taken whole from a box that sent nothing lately.
        guard allowance.reports >= Int64(reports) else {
            let missing = Int64(reports) - allowance.reports
            return .slowDown(seconds: max(1, (missing + limits.ratePerBox - 1) / limits.ratePerBox))
        }
        allowance.reports -= Int64(reports)
        remember(allowance, of: box, now: now)
        return .take(credit: credit(queue, allowance))
    }

    /// Fewer while work piles up, but never none.
    private func credit(_ queue: Queue, _ allowance: Allowance) -> Int64 {
        let free = max(.zero, limits.delay - queue.delay - queue.unread)
        let share = max(1, min(limits.batch, limits.batch * 2 * free.milliseconds / max(1, limits.delay.milliseconds)))
        return max(1, min(share, allowance.reports))
    }

    /// Seconds after which a box that is sent away may come again.
    /// - Parameter beyond: `Pressure.seconds`, over which boxes are spread.
    public static func wait(_ delay: Nanoseconds, _ box: String, beyond: Int64 = 0) -> Int64 {
        min(60, delay.seconds + 1) + spread(of: box, over: 10 + max(0, beyond))
    }

    /// Seconds, from 0 and fewer than `count`: boxes that are sent away together come back at different ones.
    public static func spread(of box: String, over count: Int64 = 10) -> Int64 {
        Int64(box.utf8.reduce(0 as UInt64) { ($0 &* 31) &+ UInt64($1) } % UInt64(max(1, count)))
    }

    private func allowance(of box: String, now: Monotonic) -> Allowance {
        guard let kept = allowances[box] else { return Allowance(reports: limits.burstPerBox, at: now) }
        let elapsed = max(.zero, now - kept.at)
        let gained = min(limits.burstPerBox, elapsed.milliseconds * limits.ratePerBox / 1_000)
        let reports = kept.reports + gained
        guard reports < limits.burstPerBox else { return Allowance(reports: limits.burstPerBox, at: now) }
        // The time that was too short for one more report counts for the next one.
        return Allowance(reports: reports, at: kept.at + .milliseconds(gained * 1_000 / max(1, limits.ratePerBox)))
    }

    private mutating func remember(_ allowance: Allowance, of box: String, now: Monotonic) {
        if allowances[box] == nil, allowances.count >= limits.boxes {
            // Whoever sent nothing lately has everything again, and need not be known.
            let full = Nanoseconds.seconds(limits.burstPerBox / max(1, limits.ratePerBox) + 1)
            allowances = allowances.filter { now - $0.value.at < full }
            if allowances.count >= limits.boxes { allowances = [:] }
        }
        allowances[box] = allowance
    }
}
