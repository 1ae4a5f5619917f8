// SPDX-License-Identifier: Apache-2.0

/// What a program did to the files below a directory, in order, with every octet that it wrote: as strace sees it.
struct DiskLog {
    enum Step: Equatable {
        /// A file is opened to be written; it is empty from then on.
        case create(String)
        case write(String, [UInt8])
        /// Of a file or a directory.
        case flush(String)
        case rename(String, to: String)
        case remove(String)
    }

    private(set) var steps: [Step] = []

    /// In front of a command: the trace goes to a file.
    static func strace(to file: String) -> [String] {
        [
            "strace", "-D", "-f", "-q", "--seccomp-bpf", "-y", "-s", "400000", "-o", file, "-e",
            "trace=openat,write,fsync,rename,unlink",
        ]
    }

    /// - Parameters:
    ///   - trace: lines such as `71 write(6</state/box-id.new>, "text", 4) = 4`.
    ///   - directory: paths are shown from there on: `/settings/1.json`.
    init(_ trace: String, below directory: String) throws {
        var begun: [Substring: String] = [:]
        for line in trace.split(separator: "\n") {
            guard let space = line.firstIndex(of: " ") else { continue }
            let process = line[..<space]
            var call = String(line[line.index(after: space)...].drop { $0 == " " })
            // A call during which another thread made one is on two lines.
            if let cut = call.range(of: " <unfinished ...>") {
                begun[process] = String(call[..<cut.lowerBound])
                continue
            }
            if call.hasPrefix("<... "), let rest = call.range(of: " resumed>") {
                call = (begun.removeValue(forKey: process) ?? "") + String(call[rest.upperBound...])
            }
            guard call.contains(directory), !call.contains(" = -1 ") else { continue }
            if let step = try Self.step(call, directory) { steps.append(step) }
        }
    }

    private static func step(_ call: String, _ directory: String) throws -> Step? {
        guard let bracket = call.firstIndex(of: "(") else { return nil }
        let texts = try strings(in: call)
        func below(_ path: String) -> String? {
            path.hasPrefix(directory) ? String(path.dropFirst(directory.count)) : nil
        }
        /// The path of the descriptor that is the first argument.
        var opened: String? {
            guard let start = call.firstIndex(of: "<"), let end = call.firstIndex(of: ">"), start < end else {
                return nil
            }
            return below(String(call[call.index(after: start)..<end]))
        }
        switch call[..<bracket] {
        case "openat":
            guard call.contains("O_TRUNC"), let path = texts.first.flatMap({ below(text($0)) }) else { return nil }
            return .create(path)
        case "write": return opened.flatMap { path in texts.first.map { .write(path, $0) } }
        case "fsync": return opened.map { .flush($0) }
        case "rename":
            guard texts.count == 2, let old = below(text(texts[0])), let new = below(text(texts[1])) else { return nil }
            return .rename(old, to: new)
        case "unlink": return texts.first.flatMap { below(text($0)) }.map { .remove($0) }
        default: return nil
        }
    }

    private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

    /// The quoted arguments, with C's escapes read.
    private static func strings(in call: String) throws -> [[UInt8]] {
        var (found, octets): ([[UInt8]], [UInt8]?) = ([], nil)
        var rest = ArraySlice(call.utf8)
        let named: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "v"): 11,
            UInt8(ascii: "f"): 12,
        ]
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "\"") {
                if let ended = octets { found.append(ended) }
                octets = octets == nil ? [] : nil
            } else if octet == UInt8(ascii: "\\"), octets != nil {
                guard let next = rest.popFirst() else { throw VenueError("the trace is cut: \(call.suffix(40))") }
                if (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(next) {
                    var value = Int(next - UInt8(ascii: "0"))
                    while let digit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit), value < 32 {
                        value = value * 8 + Int(digit - UInt8(ascii: "0"))
                        rest.removeFirst()
                    }
                    octets?.append(UInt8(truncatingIfNeeded: value))
                } else {
                    octets?.append(named[next] ?? next)
                }
            } else {
                octets?.append(octet)
            }
        }
        return found
    }
}
