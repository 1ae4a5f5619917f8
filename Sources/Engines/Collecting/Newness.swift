// SPDX-License-Identifier: Apache-2.0
import Time

/// Tells which of two states of a box is the newer one. Boxes send their newest state first and what waited afterwards, of
/// earlier starts as well, so that what arrives later is not always newer.
struct Newness: Equatable {
    var boot: String
    var sequence: Int64
    var wall: WallTime?
    var arrived: WallTime

    /// A clock that nobody has set shows an earlier time than this: 2020-01-01.
    static let earliest = WallTime(nanoseconds: 1_577_836_800_000_000_000)
    /// How far ahead of ours a box's clock may be and still be believed.
    static let mostAhead = Nanoseconds.seconds(3_600)

    /// The box's time if it can be true.
    private var plausible: WallTime? {
        ClockJudgement(wall: wall, arrived: arrived) == .plausible ? wall : nil
    }

    func isNewer(than other: Newness) -> Bool {
        if boot == other.boot { return sequence > other.sequence }
        if let time = plausible, let before = other.plausible { return time > before }
        // The number in front of a boot's id grows with each start, unless the box has lost its disk.
        return boot > other.boot
    }
}

extension Newness {
    init(_ batch: IncomingBatch, _ report: IncomingReport) {
        self.init(boot: batch.source.boot, sequence: report.sequence, wall: report.wall, arrived: batch.arrived)
    }
}

extension LatestState {
    /// How far the box's clock is ahead of ours, as far as the way of the report and its waiting let us see; nil if the
    /// box has no time.
    public var skew: Nanoseconds? { wall.map { Nanoseconds($0.nanoseconds &- arrived.nanoseconds) } }
}

/// What may be thought of the time of a report.
public enum ClockJudgement: String, Sendable {
    case plausible
    /// Nobody has set the box's clock.
    case unset
    /// It shows a time before there were boxes, or one that has not come yet.
    case wrong

    /// - Parameter arrived: by the reporter's clock.
    public init(wall: WallTime?, arrived: WallTime) {
        guard let wall else {
            self = .unset
            return
        }
        let isTooLate = wall.nanoseconds > arrived.nanoseconds &+ Newness.mostAhead.count
        self = wall < Newness.earliest || isTooLate ? .wrong : .plausible
    }
}
