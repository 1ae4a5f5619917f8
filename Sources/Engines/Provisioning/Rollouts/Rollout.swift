// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import Time

/// An order that goes out to boxes in waves: each wave begins when all of the one before have it in force and proved, and
/// none begins any more when too many boxes failed. It reads no clock and signs nothing: the order was signed elsewhere.
public struct Rollout: Equatable, Sendable {
    /// How many boxes have been offered the order when a wave has begun, all before it included.
    public enum Wave: Equatable, Hashable, Sendable {
        case boxes(Int)
        /// Of the boxes that were known when the roll-out began; at least one.
        case percent(Int)

        func count(of all: Int) -> Int {
            switch self {
            case .boxes(let count): min(all, count)
            case .percent(let percent): min(all, max(1, (all * percent + 99) / 100))
            }
        }
    }

    /// What whoever rolls out decides.
    public struct Terms: Equatable, Sendable {
        /// In order; behind the last one come all others.
        public var waves: [Wave] = []
        /// The roll-out stops by itself when more boxes failed.
        public var mostFailures = 0
        /// A box that was offered the order, and has it neither in force nor refused by then, failed.
        public var patience = Nanoseconds.seconds(900)

        public init() {}
    }

    public enum Outcome: Equatable, Sendable {
        /// Its wave has not begun.
        case waits
        /// Since when.
        case offered(WallTime)
        /// It has the order in force, and the settings have proved themselves.
        case done(WallTime)
        case failed(WallTime, why: String)

        var isOver: Bool {
            switch self {
            case .waits, .offered: false
            case .done, .failed: true
            }
        }
    }

    public enum State: Equatable, Sendable {
        case running
        case stopped(why: String)
        /// All boxes of the last wave are through. Boxes that come later get the order as well.
        case done
    }

    public let number: Int64
    public let order: SignedOrder
    public let terms: Terms
    public let tag: String
    /// In the order in which they are served: in no order that people would expect, so that a wave is a sample.
    public private(set) var boxes: [String] = []
    public private(set) var outcomes: [String: Outcome] = [:]
    public private(set) var state = State.running
    /// The number of boxes that were known when it began, by which waves count.
    private let known: Int
    /// The number of waves that have begun.
    public private(set) var begun = 0

    /// - Parameters:
    ///   - tag: by which boxes and server call the order, without quotation marks.
    ///   - boxes: to which the order is addressed.
    public init(number: Int64, _ order: SignedOrder, tag: String, terms: Terms, boxes: [String], at now: WallTime) {
        (self.number, self.order, self.tag, self.terms) = (number, order, tag, terms)
        self.boxes = boxes.sorted { (Self.place($0, number), $0) < (Self.place($1, number), $1) }
        known = boxes.count
        for box in boxes { outcomes[box] = .waits }
        beginWaves(at: now)
    }

    /// One that was kept: what it was when it was written.
    public init(
        number: Int64, _ order: SignedOrder, tag: String, terms: Terms, boxes: [String], known: Int, begun: Int,
        state: State, outcomes: [String: Outcome]
    ) {
        (self.number, self.order, self.tag, self.terms) = (number, order, tag, terms)
        (self.boxes, self.known, self.begun, self.state, self.outcomes) = (boxes, known, begun, state, outcomes)
    }

    public var knownAtTheBeginning: Int { known }
    public var failures: Int { outcomes.values.count { if case .failed = $0 { true } else { false } } }
    public var successes: Int { outcomes.values.count { if case .done = $0 { true } else { false } } }

    /// Whether the box is to have the order.
    public func isOffered(to box: String) -> Bool {
        switch outcomes[box] {
        case .offered?, .done?, .failed?: true
        case .waits?, nil: false
        }
    }

    // MARK: What happens

    /// A box to which the order is addressed is heard of for the first time: it is served with the last wave.
    public mutating func joined(_ box: String, at now: WallTime) {
        guard outcomes[box] == nil else { return }
        boxes.append(box)
        if case .stopped = state { return outcomes[box] = .waits }
        outcomes[box] = begun > terms.waves.count ? .offered(now) : .waits
    }

    public mutating func reported(_ report: SettingsReport, at now: WallTime) {
        guard isOffered(to: report.box), let outcome = outcome(of: report, at: now) else { return }
        outcomes[report.box] = outcome
        beginWaves(at: now)
    }

    /// Boxes that were silent for too long have failed.
    public mutating func tick(at now: WallTime) {
        guard state == .running else { return }
        for (box, outcome) in outcomes {
            guard case .offered(let since) = outcome, now.nanoseconds - since.nanoseconds >= terms.patience.count
            else { continue }
            outcomes[box] = .failed(now, why: "nothing was heard of the order for \(terms.patience.seconds) s")
        }
        beginWaves(at: now)
    }

    public mutating func stop(_ why: String) { if state == .running { state = .stopped(why: why) } }

    /// What a report says of the order; nil if it says nothing of it yet.
    private func outcome(of report: SettingsReport, at now: WallTime) -> Outcome? {
        let current = outcomes[report.box] ?? .waits
        // A newer order is none of ours, and takes the place of this one.
        if let inForce = report.order, inForce >= order.revision {
            if case .done = current { return nil }
            return report.isConfirmed || inForce > order.revision ? .done(now) : nil
        }
        if case .failed = current { return nil }
        guard report.judged?.tag == "\"\(tag)\"" else { return nil }
        if let reason = report.judged?.reason {
            return .failed(now, why: "refused (\(reason)): \(report.judged?.why ?? "")")
        }
        return .failed(now, why: "the box returned to its settings before")
    }

    private mutating func beginWaves(at now: WallTime) {
        guard state == .running else { return }
        if failures > terms.mostFailures {
            state = .stopped(why: "\(failures) boxes failed; at most \(terms.mostFailures) may")
            return
        }
        while boxes.prefix(offeredCount).allSatisfy({ outcomes[$0]?.isOver ?? false }) {
            guard begun <= terms.waves.count else { return state = .done }
            begun += 1
            for box in boxes.prefix(offeredCount) where outcomes[box] == .waits { outcomes[box] = .offered(now) }
        }
    }

    /// Of the waves that have begun. The last one has all boxes.
    private var offeredCount: Int {
        guard begun <= terms.waves.count else { return boxes.count }
        return terms.waves[..<begun].map { $0.count(of: known) }.max() ?? 0
    }

    /// FNV-1a: where a box stands in the order of a roll-out, another one in each.
    private static func place(_ box: String, _ number: Int64) -> UInt64 {
        "\(number) \(box)".utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
