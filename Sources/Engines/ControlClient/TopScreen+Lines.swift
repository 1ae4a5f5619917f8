// SPDX-License-Identifier: Apache-2.0
import JSON
import Terminal

extension TopScreen {
    /// The lines of a whole screen: at most `rows` lines of at most `columns` columns.
    func lines(columns: Int, rows: Int) -> [String] {
        var lines = head
        let (space, other) = (isPaused ? "go on" : "pause", order == .rate ? Order.name : .rate)
        let foot = "q quit  space \(space)  s sort by \(other.rawValue)  up down scroll"
        let eventRows = min(events.count, rows >= 20 ? 6 : 2)
        let counterRows = rows - lines.count - 2 - eventRows - (eventRows > 0 ? 1 : 0)
        if counterRows > 0 {
            lines.append(counterLine("counter (by \(order.rawValue))", "value", "per second", columns))
            let shown = counters.dropFirst(firstCounter).prefix(counterRows)
            lines += shown.map { name, value, rate, unit in
                let shown = unit.map { "\(name), \($0)" } ?? name
                return counterLine(shown, "\(value)", rate.map { Self.decimal($0, places: 1) } ?? "-", columns)
            }
            lines += Array(repeating: "", count: counterRows - shown.count)
        }
        if eventRows > 0, counterRows > 0 { lines += [""] + events.suffix(eventRows) }
        lines = Array(lines.prefix(max(0, rows - 1)))
        lines.append(fault.map { "! \($0)" } ?? (isPaused ? "[paused] " + foot : foot))
        return lines.prefix(rows).map { TerminalText.cut($0, to: max(1, columns)).text }
    }

    private var head: [String] {
        guard let last else { return ["touchline top", ""] }
        let status = last.status
        let name = [status["boxName"], status["boxId"]].compactMap { text($0) }.first { !$0.isEmpty } ?? "box"
        let up = Self.span(milliseconds: status["uptimeMs"]?.integer ?? 0)
        return [
            "\(last.clock)  \(name)  up \(up)  version \(text(status["version"]) ?? "-")  \(text(status["output"]) ?? "")",
            playing, streams, network, pictures, "",
        ]
    }

    private var playing: String {
        guard let last, let channel = text(last.status["channel"]) else { return "nothing plays" }
        var parts = [channel, text(last.status["playerState"]) ?? "-"]
        if last.status["isPaused"] == true { parts.append("paused") }
        if let offset = last.position["offsetMs"]?.integer, let available = last.position["availableMs"]?.integer {
            parts.append("\(Self.seconds(offset)) s behind live of \(Self.seconds(available)) s")
        }
        if let volume = last.status["volume"]?.integer {
            parts.append(last.status["isMuted"] == true ? "muted" : "volume \(volume)")
        }
        return parts.joined(separator: "  ")
    }

    private var streams: String {
        let played = (last?.streams ?? []).filter { $0["isPlayed"] == true }
        guard !played.isEmpty else { return "no stream is played" }
        return played.map { stream in
            let language = text(stream["language"]).map { " \($0)" } ?? ""
            return "\(stream["pid"]?.integer ?? 0) \(text(stream["codec"]) ?? "-")\(language)"
        }.joined(separator: "  ")
    }

    private var network: String {
        "network   \(perSecond("reception.octets", times: 0.008)) kbit/s  \(perSecond("reception.datagrams")) datagrams/s"
            + "  lost \(count("reception.lostPackets"))  discontinuities \(count("reception.tsDiscontinuities"))"
            + "  jitter \(count("reception.clockJitterUs")) us"
    }

    private var pictures: String {
        let load = last?.counters["playback.decodeLoad"].map { "\($0 / 10) %" } ?? "-"
        return "pictures  \(perSecond("stage.picturesPresented"))/s  late \(count("stage.picturesLate"))"
            + "  decoder \(load)  sound \(level("sound.peakCentidecibels")) dB  underruns \(count("sound.underruns"))"
    }

    // MARK: Lines without a screen

    static let plainTitle = "time      channel           state   behind    kbit/s  pict/s     lost   discont"

    /// The last sample as one line of at most 80 columns.
    var plainLine: String {
        if let fault { return TerminalText.cut("! \(fault)", to: 80).text }
        guard let last else { return "" }
        let behind = last.position["offsetMs"]?.integer.map(Self.seconds) ?? "-"
        let cells: [(text: String, width: Int)] = [
            (behind, 8), (perSecond("reception.octets", times: 0.008), 9), (perSecond("stage.picturesPresented"), 7),
            (count("reception.lostPackets"), 8), (count("reception.tsDiscontinuities"), 9),
        ]
        let left =
            TerminalText.fitted(last.clock, to: 8) + "  "
            + TerminalText.fitted(text(last.status["channel"]) ?? "-", to: 16) + "  "
            + TerminalText.fitted(text(last.status["playerState"]) ?? "-", to: 6)
        return TerminalText.cut(cells.reduce(left) { $0 + " " + Self.right($1.text, $1.width) }, to: 80).text
    }

    // MARK: Parts

    private func text(_ value: JSONValue?) -> String? { value?.string.map { TerminalText.harmless($0) } }

    private func counterLine(_ name: String, _ value: String, _ rate: String, _ columns: Int) -> String {
        let width = min(44, max(8, columns - 34))
        return TerminalText.fitted(TerminalText.harmless(name), to: width) + " " + Self.right(value, 18) + " "
            + Self.right(rate, 14)
    }

    private func perSecond(_ name: String, times factor: Double = 1) -> String {
        rate(name).map { Self.decimal($0 * factor, places: 1) } ?? "-"
    }

    private func count(_ name: String) -> String { last?.counters[name].map { "\($0)" } ?? "-" }

    private func level(_ name: String) -> String {
        last?.counters[name].map { Self.decimal(Double($0) / 100, places: 1) } ?? "-"
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    private static func seconds(_ milliseconds: Int64) -> String { decimal(Double(milliseconds) / 1_000, places: 1) }

    /// The value rounded to this number of decimal places; "-" for values beyond 1e15, which no counter reaches in a
    /// second.
    static func decimal(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 }
        guard value.magnitude < 1e15, let scaled = Int64(exactly: (value * Double(scale)).rounded()) else { return "-" }
        let (whole, rest) = (scaled.magnitude / scale.magnitude, scaled.magnitude % scale.magnitude)
        let digits = String(rest)
        return "\(scaled < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: places - digits.utf8.count))\(digits)"
    }

    private static func span(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1_000
        let (minutes, rest) = (seconds / 60 % 60, seconds % 60)
        return "\(seconds / 3_600):\(minutes < 10 ? "0" : "")\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }
}
