// SPDX-License-Identifier: Apache-2.0
import Time

/// How long before their decoding times the units of a stream are complete by the stream's own clock: the smallest slack
/// of the last minute, which is the multiplexing delay that need not be waited for.
///
/// When a unit was complete is known without the network's jitter: between two clock references the octets of a stream
/// come at a constant rate (ISO/IEC 13818-1 2.4.2.2), and nothing was complete after it arrived.
///
/// A sender may keep that promise in its stamps alone: ffmpeg writes a picture at once whose octets take 200 ms by its
/// clock references, and what follows is late by as much. Then arrivals count, beyond an allowance.
struct UnitSlack: Sendable {
    /// A unit was not complete earlier than so long before it arrived; nil: whatever its arrival.
    let allowance: Nanoseconds?

    init(allowance: Nanoseconds? = nil) { self.allowance = allowance }

    private struct Unit: Sendable {
        var dts: UInt64 = 0
        var packet: Int64 = 0
        var arrival = Monotonic(nanoseconds: 0)
    }

    private static let places = 16
    /// Slacks outside say that decoding times and references are of different time lines.
    private static let plausible = Nanoseconds.seconds(-2)...Nanoseconds.seconds(10)
    private static let patience = Nanoseconds.seconds(1)
    /// References further apart (100 ms is what the standard allows) say nothing of what lies between.
    private static let longestInterval = Nanoseconds.milliseconds(700)

    private var minima = WindowMinima()
    private var waiting = [Unit](repeating: Unit(), count: places)
    private var count = 0
    private var reference: (ticks: Int64, packet: Int64)?
    private var implausibleSince: Monotonic?
    /// Decoding times and references belong to different time lines.
    private(set) var isUnrelated = false
    /// Nil until a slack is known.
    private(set) var least: Nanoseconds?

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
    ///   - ticks: a good reference, unwrapped 27 MHz.
    ///   - level: what added to it is when it arrived, without jitter.
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

    /// What waits for a reference cannot be placed: packets are missing, or another time line begins.
    mutating func brokeOff() {
        count = 0
        reference = nil
    }

    /// - Parameter time: of the stream's clock.
    private mutating func take(
        _ unit: Unit, completeBy time: Nanoseconds, near ticks: Int64, _ level: Nanoseconds
    ) {
        let arrived = Nanoseconds(unit.arrival.nanoseconds) - level
        var complete = min(time, arrived)
        if let allowance { complete = max(complete, arrived - allowance) }
        let near = ticks / 300
        let dts = near &+ centred(Int64(unit.dts & 0x1_FFFF_FFFF), near, 1 << 33)
        let slack = TickRate.mpeg.nanoseconds(dts) - complete
        guard Self.plausible.contains(slack) else {
            let since = implausibleSince ?? unit.arrival
            implausibleSince = since
            if unit.arrival - since >= Self.patience { isUnrelated = true }
            return
        }
        implausibleSince = nil
        isUnrelated = false
        // Another multiplexer, or a part of the time line is left out: what was known is of no use.
        if let known = least, slack - known < -StampTracker.jump || slack - known > .seconds(3) {
            minima.removeAll()
            least = nil
        }
        if minima.isOver(at: unit.arrival) {
            minima.close()
            least = minima.least
        }
        minima.add(slack, at: unit.arrival)
        least = min(least ?? slack, slack)
    }
}
