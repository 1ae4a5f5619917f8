// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import Time

/// What the boxes of a venue are to have, and what they have: the roll-outs, and the last report of each box.
public struct DesiredState: Sendable {
    /// Boxes and roll-outs that are kept at most. Whoever may report could fill the memory otherwise.
    public static let mostBoxes = 20_000
    public static let mostRollouts = 200

    public struct Box: Equatable, Sendable {
        public var report: SettingsReport
        public var heard: WallTime

        public init(_ report: SettingsReport, heard: WallTime) { (self.report, self.heard) = (report, heard) }
    }

    /// How what a box has differs from what it is to have.
    public enum Drift: String, Sendable, CaseIterable {
        /// It has it.
        case none
        /// It is offered the order, and has not taken it yet.
        case behind
        /// It refused the order or returned from it.
        case failed
        /// Its settings were changed after the order.
        case changed
        /// Nothing is desired of it.
        case free
    }

    public private(set) var boxes: [String: Box]
    /// The oldest first.
    public private(set) var rollouts: [Rollout]

    public init(boxes: [String: Box] = [:], rollouts: [Rollout] = []) {
        (self.boxes, self.rollouts) = (boxes, rollouts)
    }

    /// The roll-out whose order a box is to have: the newest that is offered to it.
    public func desired(of box: String) -> Rollout? { rollouts.last { $0.isOffered(to: box) } }

    public func drift(of box: String) -> Drift {
        guard let rollout = desired(of: box), let outcome = rollout.outcomes[box] else { return .free }
        switch outcome {
        case .failed: return .failed
        case .waits, .offered: return .behind
        case .done: return boxes[box]?.report.isChanged == true ? .changed : .none
        }
    }

    /// The boxes that an order is addressed to, of those that were heard of.
    public func boxes(of target: OrderTarget) -> [String] {
        boxes.values.filter { $0.report.recipient.isMeant(by: target) }.map(\.report.box)
    }

    // MARK: What happens

    /// - Returns: the numbers of the roll-outs that changed; nil if there is no room for another box.
    public mutating func reported(_ report: SettingsReport, at now: WallTime) -> [Int64]? {
        guard boxes[report.box] != nil || boxes.count < Self.mostBoxes else { return nil }
        boxes[report.box] = Box(report, heard: now)
        return change { rollout in
            if report.recipient.isMeant(by: rollout.order.target) { rollout.joined(report.box, at: now) }
            rollout.reported(report, at: now)
        }
    }

    /// Begins a roll-out. The one before goes no further.
    /// - Returns: the numbers of the roll-outs that changed, the new one among them.
    public mutating func begin(
        _ order: SignedOrder, tag: String, _ terms: Rollout.Terms, at now: WallTime
    ) -> [Int64] {
        let number = (rollouts.last?.number ?? 0) + 1
        let changed = change { $0.stop("roll-out \(number) took its place") }
        rollouts.append(
            Rollout(number: number, order, tag: tag, terms: terms, boxes: boxes(of: order.target), at: now))
        if rollouts.count > Self.mostRollouts { rollouts.removeFirst(rollouts.count - Self.mostRollouts) }
        return changed + [number]
    }

    /// No wave begins any more.
    /// - Returns: the numbers of the roll-outs that changed; none if none was under way.
    public mutating func stop(_ why: String) -> [Int64] { change { $0.stop(why) } }

    public mutating func tick(at now: WallTime) -> [Int64] { change { $0.tick(at: now) } }

    private mutating func change(_ body: (inout Rollout) -> Void) -> [Int64] {
        var changed: [Int64] = []
        for index in rollouts.indices {
            let before = rollouts[index]
            body(&rollouts[index])
            if rollouts[index] != before { changed.append(before.number) }
        }
        return changed
    }
}

extension SettingsReport {
    /// The names by which orders reach the box.
    public var recipient: OrderRecipient { OrderRecipient(box: box, group: group, tags: Set(tags)) }
}
