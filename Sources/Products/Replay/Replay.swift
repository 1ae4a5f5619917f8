// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import Recording
import System
import Terminal
import Time

/// The program `touchline-replay`: reads a bundle of an incident, receives again what was recorded, and prints the counters
/// of then and now side by side.
public struct Replay {
    public static let usage = """
        usage: touchline-replay [--extract DIRECTORY] BUNDLE
        Feeds the packets of an incident's bundle through the engines that received them, and prints the counters that
        were recorded beside those of the replay. Ends with 0 if they are the same, with 1 if they differ or there is
        nothing to compare, and with 2 if the bundle cannot be read. With --extract it writes events, statistics, settings
        and pictures into files of a directory instead, and ends with 0.

        """

    /// The lines that are printed.
    public private(set) var text = ""
    public private(set) var code: Int32 = 0

    public init(arguments: [String]) {
        let isExtraction = arguments.first == "--extract"
        guard arguments.count == (isExtraction ? 3 : 1), let path = arguments.last, path != "--help" else {
            (text, code) = (Self.usage, arguments == ["--help"] ? 0 : 2)
            return
        }
        do throws(SystemCallError) {
            guard let file = try DurableFile.read(path, limit: Bundle.mostOctets) else {
                (text, code) = ("touchline-replay: \(path): there is no such file\n", 2)
                return
            }
            isExtraction ? try extract(file, named: path, to: arguments[1]) : replay(file, named: path)
        } catch {
            (text, code) = ("touchline-replay: \(error)\n", 2)
        }
    }

    private mutating func extract(
        _ file: [UInt8], named path: String, to directory: String
    ) throws(SystemCallError) {
        let bundle: Bundle
        do throws(RecordingError) {
            bundle = try Bundle(parsing: file)
        } catch {
            (text, code) = ("touchline-replay: \(path): \(error)\n", 2)
            return
        }
        if let cut = bundle.cut { text += "\(path): \(cut); what is before it is used\n" }
        try DurableFile.makeDirectory(directory)
        for file in bundle.files {
            try DurableFile.write(file.octets, to: "\(directory)/\(file.name)")
            text += "\(file.name): \(file.octets.count) octets\n"
        }
    }

    public init(_ file: [UInt8], named path: String) { replay(file, named: path) }

    private mutating func replay(_ file: [UInt8], named path: String) {
        do throws(RecordingError) {
            let bundle = try Bundle(parsing: file)
            if let cut = bundle.cut { text += "\(path): \(cut); what is before it is used\n" }
            if let head = bundle.sections.first(where: { $0.kind == .head }) { describe(head.octets) }
            let flows = try bundle.flows().map { FlowReplay($0.flow, $0.inputs) }
            for flow in flows { show(flow) }
            code = !flows.isEmpty && flows.allSatisfy(\.isIdentical) ? 0 : 1
            if flows.isEmpty { text += "no packets were recorded\n" }
        } catch {
            (text, code) = ("touchline-replay: \(path): \(error)\n", 2)
        }
    }

    private mutating func describe(_ octets: [UInt8]) {
        guard let head = try? JSONValue.parse(octets) else { return }  // its check sum was right; another version's
        for name in ["id", "kind", "cause", "time", "box", "version"] {
            guard let value = head[name]?.string else { continue }
            text += "\(name): \(TerminalText.harmless(value))\n"
        }
    }

    private mutating func show(_ flow: FlowReplay) {
        let name = TerminalText.harmless(flow.channel)
        guard let span = flow.span else {
            text += "channel \(name): \(flow.datagrams) datagrams are too few to compare\n"
            return
        }
        text += "channel \(name): \(flow.datagrams) datagrams, \(span.milliseconds) ms compared"
        text += flow.isFromJoin ? ", from the join on\n" : ", after a warm-up\n"
        for row in flow.rows where row.recorded != 0 || row.replayed != 0 {
            text += TerminalText.fitted(row.counter, to: 30) + TerminalText.fitted("\(row.recorded)", to: 16)
            text += TerminalText.fitted("\(row.replayed)", to: 16)
            text += row.recorded == row.replayed ? "\n" : "differs\n"
        }
        text += flow.differences.isEmpty ? "identical\n" : "\(flow.differences.count) counters differ\n"
    }
}
