// SPDX-License-Identifier: Apache-2.0
import Playback
import Presentation
import Statistics
import Time

/// Makes the statistics panel, once a second: counters become what came in the last second, and some figures are kept for
/// their plots.
struct StatisticsFigures {
    /// What the panel says besides the statistics.
    struct Look {
        /// Which box it is, and its version.
        var heading: [String]
        /// The session of `main`; nil if nothing is open there.
        var session: PlayingSession?
        var position: PlaybackPosition?
        var snapshot: StatisticSnapshot
        var now: Monotonic
    }

    private typealias Group = StatisticsPanel.Group
    private typealias Entry = StatisticsPanel.Group.Entry
    private typealias Row = StatisticsPanel.Row

    /// The figures that have plots.
    private enum Plotted: Hashable { case signal, lossBefore, lossAfter, buffer, soundAndPicture, pacing }

    /// Counters as they were at the last look, by group and name, and when that was. Another session counts anew.
    private var before: (session: Int?, values: [String: Int64], now: Monotonic)?
    private var plots: [Plotted: [Double?]] = [:]

    /// Forgets the plots and what was counted, as when the panel is not shown.
    mutating func reset() { self = StatisticsFigures() }

    mutating func panel(_ look: Look) -> StatisticsPanel {
        let session = look.session?.id
        if before?.session != session {
            before = nil
            plots = [:]
        }
        var count = Counting(look.snapshot, since: before.map { ($0.values, look.now - $0.now) })
        let groups = [
            stream(look, &count), signal(look.snapshot), network(&count), buffer(look), picture(look.snapshot, &count),
            sound(look.snapshot, &count), sync(look.snapshot),
        ]
        before = (session, count.values, look.now)
        return StatisticsPanel(heading: look.heading, groups.filter { !$0.entries.isEmpty })
    }

    // MARK: Groups

    private func stream(_ look: Look, _ count: inout Counting) -> Group {
        guard let session = look.session else { return Group("Channel", [Entry(Row("Channel", "none"))]) }
        let codecs = session.streams.filter(\.isPlayed).map { stream in
            Entry(Row(stream.isVideo ? "Video" : "Sound", "\(stream.codec), PID \(stream.pid)"))
        }
        var entries = [Entry(Row("Channel", session.name))] + codecs
        if let rate = look.snapshot.value("quality", "bitsPerSecond") {
            entries.append(Entry(Row("Rate", Self.number(Double(rate) / 1_000_000, 1) + " Mbit/s")))
        }
        return Group("Channel", entries)
    }

    private mutating func signal(_ snapshot: StatisticSnapshot) -> Group {
        guard let signal = snapshot.value("wifi", "stationSignalDbm") else { return Group("WiFi", []) }
        // 100 at -40 dBm, 0 at -90.
        let plot = keep(.signal, Double(signal + 90) * 2, limit: 30)
        var entries = [
            Entry(Row("Signal", "\(signal) dBm", signal <= -75 ? .fault : signal <= -67 ? .warning : .usual), plot)
        ]
        if let score = snapshot.value("wifi", "linkScore") { entries.append(Entry(Row("Link", "\(score) of 10"))) }
        if let busy = snapshot.value("wifi", "channelBusyPPM") {
            let percent = Double(busy) / 10_000
            entries.append(
                Entry(Row("Channel busy", Self.number(percent, 0) + " %", percent > 60 ? .warning : .usual)))
        }
        return Group("WiFi", entries)
    }

    private mutating func network(_ count: inout Counting) -> Group {
        guard let received = count.rate("reception", "datagrams"),
            let missing = count.rate("reception", "lostBeforeRepair"), let lost = count.rate("reception", "lostPackets")
        else { return Group("Network", []) }
        func share(_ part: Double) -> Double { part <= 0 ? 0 : part / max(1, received + part) * 100 }
        let (before, after) = (share(missing), share(lost))
        // The plots end at 5 % and at 0.5 %.
        var entries = [
            Entry(
                Row("Lost, before repair", Self.number(before, 2) + " %", before > 2 ? .warning : .usual),
                keep(.lossBefore, before * 20, limit: nil)),
            Entry(
                Row("Lost, after repair", Self.number(after, 2) + " %", after > 0 ? .fault : .usual),
                keep(.lossAfter, after * 200, limit: 20)),
        ]
        for (name, counter) in [("Late", "latePackets"), ("Dropped by the box", "kernelDrops")] {
            guard let rate = count.rate("reception", counter), rate > 0 else { continue }
            entries.append(Entry(Row(name, Self.number(rate, 0) + " a second", .warning)))
        }
        if let errors = count.rate("reception", "tsDiscontinuities"), errors > 0 {
            entries.append(Entry(Row("Continuity errors", Self.number(errors, 0) + " a second", .fault)))
        }
        return Group("Network", entries)
    }

    private mutating func buffer(_ look: Look) -> Group {
        guard let session = look.session, session.source.channel != nil, let position = look.position else {
            return Group("Buffer", [])
        }
        let depth = position.behindLive.milliseconds
        var entries = [
            Entry(
                Row("Behind live", "\(depth) ms", session.isBuffering ? .fault : .usual),
                keep(.buffer, Double(depth) / 20, limit: nil))
        ]
        entries.append(Entry(Row("To go back to", "\(position.available.seconds) s")))
        return Group("Buffer", entries)
    }

    private mutating func picture(_ snapshot: StatisticSnapshot, _ count: inout Counting) -> Group {
        var entries: [Entry] = []
        if let shown = count.rate("region", "picturesPresented") {
            entries.append(Entry(Row("Shown", Self.number(shown, 0) + " a second")))
        }
        if let late = count.rate("region", "picturesLate") {
            entries.append(
                Entry(Row("Left out as late", Self.number(late, 0) + " a second", late > 0 ? .fault : .usual)))
        }
        if let errors = count.rate("playback", "decodeErrors"), errors > 0 {
            entries.append(Entry(Row("Not decoded", Self.number(errors, 0) + " a second", .fault)))
        }
        if let load = snapshot.value("playback", "decodeLoad") {
            entries.append(
                Entry(Row("Decoder busy", "\(load / 10) %", load > 900 ? .fault : load > 700 ? .warning : .usual)))
        }
        if let error = snapshot.value("region", "pictureErrorUs") {
            let milliseconds = Double(error) / 1_000
            // A frame of 50 a second is 20 ms.
            entries.append(
                Entry(
                    Row("Late by", Self.number(milliseconds, 1) + " ms", milliseconds > 20 ? .warning : .usual),
                    keep(.pacing, abs(milliseconds) * 2.5, limit: 50)))
        }
        return Group("Picture", entries)
    }

    private mutating func sound(_ snapshot: StatisticSnapshot, _ count: inout Counting) -> Group {
        var entries: [Entry] = []
        if let sound = snapshot.value("sound", "audioErrorUs"),
            let picture = snapshot.value("region", "pictureErrorUs")
        {
            let apart = Double(sound - picture) / 1_000
            let level: StatisticsPanel.Level = abs(apart) > 60 ? .fault : abs(apart) > 20 ? .warning : .usual
            entries.append(
                Entry(
                    Row("After the picture", Self.number(apart, 1) + " ms", level),
                    keep(.soundAndPicture, 50 + apart * 0.5, limit: nil)))
        }
        if let dry = count.rate("sound", "underruns"), dry > 0 {
            entries.append(Entry(Row("Ran dry", Self.number(dry, 0) + " a second", .fault)))
        }
        return Group("Sound", entries)
    }

    private func sync(_ snapshot: StatisticSnapshot) -> Group {
        guard let error = snapshot.value("sync", "errorUs") else { return Group("Timeline", []) }
        return Group("Timeline", [Entry(Row("Late by", Self.number(Double(error) / 1_000, 2) + " ms"))])
    }

    // MARK: Plots and numbers

    private mutating func keep(_ figure: Plotted, _ value: Double, limit: Int?) -> StatisticsPanel.Plot {
        plots[figure] = Array(((plots[figure] ?? []) + [value]).suffix(StatisticsPanel.Plot.places))
        return StatisticsPanel.Plot(
            (plots[figure] ?? []).map { $0.map { Int(min(max(0, $0), 100)) } }, limit: limit)
    }

    /// A number with some decimal places, rounded.
    private static func number(_ value: Double, _ places: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "—" }
        let scale = [1.0, 10, 100, 1_000][min(places, 3)]
        let whole = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && whole > 0 ? "−" : ""
        guard places > 0 else { return sign + "\(whole)" }
        let (front, back) = whole.quotientAndRemainder(dividingBy: Int64(scale))
        let digits = String(back)
        return sign + "\(front)." + String(repeating: "0", count: places - digits.utf8.count) + digits
    }
}

/// Counters as rates since the last look.
private struct Counting {
    private let snapshot: StatisticSnapshot
    private let before: (values: [String: Int64], span: Nanoseconds)?
    /// The counters of this look.
    private(set) var values: [String: Int64] = [:]

    init(_ snapshot: StatisticSnapshot, since before: (values: [String: Int64], span: Nanoseconds)?) {
        self.snapshot = snapshot
        self.before = before
    }

    /// - Returns: how much the counter grew a second; nil if there is no such counter. 0 at the first look.
    mutating func rate(_ group: String, _ name: String) -> Double? {
        guard let value = snapshot.value(group, name) else { return nil }
        values["\(group)/\(name)"] = value
        guard let before, before.span > .zero, let last = before.values["\(group)/\(name)"], value >= last else {
            return 0
        }
        return Double(value - last) * 1e9 / Double(before.span.count)
    }
}

extension StatisticSnapshot {
    /// A number of the session in `main`, or of the region, or of the box; nil if it is not there or not known.
    fileprivate func value(_ group: String, _ name: String) -> Int64? {
        let alike = groups.filter { $0.name == group }
        let chosen =
            alike.first { $0.labels["region"] == RegionPlayer.main } ?? alike.first { $0.labels["region"] == nil }
        return chosen?[name]?.integer
    }
}
