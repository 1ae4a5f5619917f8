// SPDX-License-Identifier: Apache-2.0
import Time

/// Measures how long before their decoding times the units of a stream are complete, by the stream's own clock. The
/// smallest slack of the last minute is the multiplexing delay for which the clock need not wait.
///
/// The instant at which a unit was complete is known without network jitter: between two clock references the octets of
/// a stream come at a constant rate (ISO/IEC 13818-1 2.4.2.2), and a unit was complete at its arrival at the latest.
///
/// A sender may keep that rule in its stamps only: ffmpeg sends a picture at once whose octets take 200 ms by its clock
/// references, and what follows is late by as much. For such streams an allowance limits how far completion may lie
/// before arrival.
struct UnitSlack: Sendable {
    /// The longest time before its arrival at which a unit counts as complete; nil for no limit.
    let allowance: Nanoseconds?
    /// A slack outside this range shows that decoding times and references belong to different timelines.
    let plausible: ClosedRange<Nanoseconds>

    init(
        allowance: Nanoseconds? = nil,
        plausible: ClosedRange<Nanoseconds> = Nanoseconds.seconds(-2)...Nanoseconds.seconds(10)
    ) {
        self.allowance = allowance
        self.plausible = plausible
    }

    private struct Unit: Sendable {
        var dts: UInt64 = 0
        var packet: Int64 = 0
        var arrival = Monotonic(nanoseconds: 0)
    }

    private static let places = 16
    private static let patience = Nanoseconds.seconds(1)
    /// References further apart (the standard allows 100 ms) do not say when a packet between them was sent.
    private static let longestInterval = Nanoseconds.milliseconds(700)

    private var minima = WindowMinima()
    private var waiting = [Unit](repeating: Unit(), count: places)
    private var count = 0
    private var reference: (ticks: Int64, packet: Int64)?
    private var implausibleSince: Monotonic?
    /// A slack that is far from all before, until the next unit shows whether it was a wrong stamp.
    private var doubtful: Nanoseconds?
    /// Whether decoding times and references belong to different timelines.
    private(set) var isUnrelated = false
    /// The smallest slack of the last minute; nil until one is known.
    private(set) var least: Nanoseconds?
    /// The greatest slack since the current half second began, and that of the half second before; nil if that had none.
    private var recent: (since: Monotonic, most: Nanoseconds, before: Nanoseconds?) = (
        Monotonic(nanoseconds: 0), .zero, nil
    )
    private static let recentSpan = Nanoseconds.milliseconds(500)

    mutating func unitCompleted(dts: UInt64, packet: Int64, at arrival: Monotonic, level: Nanoseconds) {
        let unit = Unit(dts: dts, packet: packet, arrival: arrival)
        guard let reference else { return }
        if packet <= reference.packet {
            take(unit, completeBy: TickRate.programClock.nanoseconds(reference.ticks), near: reference.ticks, level)
        } else if count < Self.places {
            waiting[count] = unit
            count += 1
        }
    }

    /// - Parameters:
    ///   - ticks: an accepted reference, unwrapped 27 MHz.
    ///   - level: the difference arrival - reference without jitter.
    mutating func referenceReceived(ticks: Int64, packet: Int64, level: Nanoseconds) {
        defer {
            reference = (ticks, packet)
            count = 0
        }
        guard let before = reference else { return }
        let interval = TickRate.programClock.nanoseconds(ticks &- before.ticks)
        let packets = packet &- before.packet
        guard interval > .zero, interval <= Self.longestInterval, packets > 0 else { return }
        let start = TickRate.programClock.nanoseconds(before.ticks)
        for index in 0..<count {
            let part = max(0, min(packets, waiting[index].packet &- before.packet))
            take(waiting[index], completeBy: start + interval / packets * part, near: ticks, level)
        }
    }

    /// Drops the units that wait for a reference: packets are missing, or another timeline begins.
    mutating func brokeOff() {
        count = 0
        reference = nil
    }

    /// Whether all units of the last half second, or longer, had at most this slack; false if there were none.
    func isRecentlyBelow(_ slack: Nanoseconds) -> Bool {
        guard !isUnrelated, let before = recent.before else { return false }
        return max(before, recent.most) <= slack
    }

    private mutating func note(_ slack: Nanoseconds, at arrival: Monotonic) {
        let elapsed = arrival - recent.since
        if (.zero..<Self.recentSpan).contains(elapsed) {
            recent.most = max(recent.most, slack)
        } else {
            recent = (arrival, slack, elapsed < Self.recentSpan * 2 ? recent.most : nil)
        }
    }

    /// - Parameter time: the completion time by the stream's clock.
    private mutating func take(
        _ unit: Unit, completeBy time: Nanoseconds, near ticks: Int64, _ level: Nanoseconds
    ) {
        let arrived = Nanoseconds(unit.arrival.nanoseconds) - level
        var complete = min(time, arrived)
        if let allowance { complete = max(complete, arrived - allowance) }
        let near = ticks / 300
        let dts = near &+ centred(Int64(unit.dts & 0x1_FFFF_FFFF), near, 1 << 33)
        let slack = TickRate.mpeg.nanoseconds(dts) - complete
        guard plausible.contains(slack) else {
            let since = implausibleSince ?? unit.arrival
            implausibleSince = since
            if unit.arrival - since >= Self.patience { isUnrelated = true }
            return
        }
        implausibleSince = nil
        isUnrelated = false
        note(slack, at: unit.arrival)
        // The multiplexer changed, or a part of the timeline was left out: earlier slacks no longer apply.
        if let known = least, slack - known < -StampTracker.jump || slack - known > .seconds(3) {
            guard let before = doubtful, (slack - before).magnitude <= StampTracker.jump else {
                doubtful = slack
                return
            }
            minima.removeAll()
            minima.add(min(slack, before), at: unit.arrival)
            least = min(slack, before)
        }
        doubtful = nil
        if minima.isOver(at: unit.arrival) {
            minima.close()
            least = minima.least
        }
        minima.add(slack, at: unit.arrival)
        least = min(least ?? slack, slack)
    }
}
