// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Derives windows, rates and alarms from running totals, once a second. Owned by one thread; allocates nothing after
/// `init`.
struct QualityMeter {
    /// Totals and values of the channel as of now.
    struct Reading {
        var faults = IndicatorCounts()
        var overdue: StreamIndicator.Set = []
        /// RTP packets that were delivered.
        var packets: Int64 = 0
        var octets: Int64 = 0
        var jitter = Nanoseconds.zero
        /// Greatest jitter of the last second.
        var peakJitter = Nanoseconds.zero
        var worstPCR = Nanoseconds.zero
        var isConstantRate = false
    }

    private struct Second {
        var faults = IndicatorCounts()
        var packets: Int64 = 0
        var peakJitter = Nanoseconds.zero
        var worstPCR = Nanoseconds.zero
    }

    private(set) var quality = StreamQuality()
    private let limits: MonitorLimits
    private var seconds: SecondsWindow<Second>
    /// The end of the second that is being measured, and when the last one was closed.
    private var end: Monotonic?
    private var closed = Monotonic(nanoseconds: 0)
    private var octets: Int64 = 0

    init(limits: MonitorLimits) {
        self.limits = limits
        seconds = SecondsWindow(seconds: max(limits.shortWindow, limits.longWindow), start: Second())
        quality.shortWindow = limits.shortWindow
        quality.longWindow = limits.longWindow
    }

    /// - Parameter reading: called once when a second is over.
    mutating func tick(at now: Monotonic, reading: () -> Reading) {
        guard let end else {
            end = now + .seconds(1)
            closed = now
            return
        }
        guard now >= end else { return }
        let value = reading()
        var second = Second(
            faults: value.faults, packets: value.packets, peakJitter: value.peakJitter, worstPCR: value.worstPCR)
        var next = end
        var elapsed: Int64 = 0
        // Seconds without a tick count too. Seconds beyond the longest window are visible nowhere and are left out.
        while next <= now, elapsed <= Int64(max(limits.shortWindow, limits.longWindow)) {
            seconds.append(second)
            (second.peakJitter, second.worstPCR) = (.zero, .zero)
            next += .seconds(1)
            elapsed += 1
        }
        self.end = next > now ? next : now + .seconds(1)
        quality.seconds += elapsed
        describe(value, at: now)
    }

    private mutating func describe(_ value: Reading, at now: Monotonic) {
        let (short, long) = (
            seconds.totals(before: limits.shortWindow), seconds.totals(before: limits.longWindow)
        )
        quality.totals = value.faults
        quality.short = value.faults - short.faults
        quality.long = value.faults - long.faults
        quality.shortPackets = value.packets - short.packets
        quality.longPackets = value.packets - long.packets
        let span = max(1, (now - closed).microseconds)
        quality.bitsPerSecond = (value.octets - octets) &* 8_000_000 / span
        octets = value.octets
        closed = now
        quality.jitter = value.jitter
        quality.isConstantRate = value.isConstantRate
        (quality.peakJitter, quality.worstPCR) = (.zero, .zero)
        for back in 0..<limits.shortWindow {
            let past = seconds.totals(before: back)
            quality.peakJitter = max(quality.peakJitter, past.peakJitter)
            quality.worstPCR = max(quality.worstPCR, past.worstPCR)
        }
        for indicator in StreamIndicator.allCases { judge(indicator, isOverdue: value.overdue.contains(indicator)) }
    }

    private mutating func judge(_ indicator: StreamIndicator, isOverdue: Bool) {
        let (limit, count) = (limits.alarms[indicator], quality.short[indicator])
        if limit > 0, isOverdue || count >= limit {
            quality.alarms.insert(StreamIndicator.Set(indicator))
        } else if limit <= 0 || count <= limit / 2 {
            quality.alarms.remove(StreamIndicator.Set(indicator))
        }
    }
}
