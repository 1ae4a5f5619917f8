// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import TestSupport
import Testing
import Time

@Suite struct InputLogTests {
    private struct Line: Equatable {
        var kind: InputLog.Kind
        var nanoseconds: Int64
        var address = ""
        var port: UInt16 = 0
        var payload: [UInt8] = []
    }

    private static let lines = [
        Line(kind: .tick, nanoseconds: -1),
        Line(kind: .datagram, nanoseconds: 1, address: "10.0.0.7", port: 5_004, payload: [0x47, 1, 2, 3]),
        Line(kind: .announcement, nanoseconds: .max, address: "fe80::1%eth0", port: 9_875, payload: []),
        Line(kind: .kernelDrops, nanoseconds: 2, payload: [0, 0, 1, 0]),
        Line(
            kind: .datagram, nanoseconds: 3, address: String(repeating: "a", count: 64), port: 65_535,
            payload: [UInt8](repeating: 0x55, count: 65_535)),
    ]

    private static func written(_ lines: [Line]) -> [UInt8] {
        var writer = WireWriter()
        for line in lines {
            line.payload.withUnsafeBytes {
                InputLog.write(
                    line.kind, at: Monotonic(nanoseconds: line.nanoseconds), address: line.address, port: line.port,
                    payload: $0, to: &writer)
            }
        }
        return writer.bytes
    }

    /// What could be read, and why no more could.
    private static func read(_ log: ArraySlice<UInt8>) -> (lines: [Line], error: WireError?) {
        var lines: [Line] = []
        return log.withUnsafeBytes { bytes in
            do throws(WireError) {
                try InputLog.read(bytes) { entry in
                    lines.append(
                        Line(
                            kind: entry.kind, nanoseconds: entry.time.nanoseconds, address: entry.address,
                            port: entry.port, payload: Array(bytes[entry.payload])))
                }
                return (lines, nil)
            } catch {
                return (lines, error)
            }
        }
    }

    @Test func roundTrip() {
        let (lines, error) = Self.read(Self.written(Self.lines)[...])
        #expect(error == nil)
        #expect(lines == Self.lines)
    }

    /// The format of files that exist: it may grow, but not change.
    @Test func vector() {
        let line = Line(kind: .datagram, nanoseconds: 258, address: "::1", port: 0x1234, payload: [0xaa, 0xbb])
        let octets: [UInt8] = [1, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 2, 0x12, 0x34, 3, 0x3a, 0x3a, 0x31, 0xaa, 0xbb]
        #expect(Self.written([line]) == Array("TLINLOG1".utf8) + octets)
    }

    /// Cut anywhere but between records it throws, with what came before read and the offset inside the log.
    @Test func everyTruncationThrows() {
        let lines = Array(Self.lines.dropLast())
        let log = Self.written(lines)
        var ends: [Int: Int] = [8: 0]
        for count in 1...lines.count { ends[Self.written(Array(lines.prefix(count))).count] = count }
        for length in 0..<log.count {
            let (read, error) = Self.read(log[..<length])
            if let count = ends[length] {
                #expect(error == nil && read == Array(lines.prefix(count)))
            } else {
                guard let error, case .truncated = error.reason else {
                    Issue.record("\(length) of \(log.count) octets were a log")
                    continue
                }
                #expect(error.offset <= length)
                #expect(read == Array(lines.prefix(read.count)) && read.count < lines.count)
            }
        }
    }

    @Test func refusesWhatItDoesNotKnow() {
        var log = Self.written([Self.lines[0]])
        log[8] = 99
        #expect(Self.read(log[...]).error == WireError(.unsupported("input log record", 99), at: 8))
        log[7] = UInt8(ascii: "2")
        #expect(Self.read(log[...]).error == WireError(.invalid("input log magic", 0), at: 0))
    }

    /// Damage is refused or read as something else; what it reads, it can write.
    @Test func neverTraps() {
        let log = Self.written(Array(Self.lines.dropLast()))
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            let lines = Self.read(mutation.damage(log)[...]).lines.filter { $0.address.utf8.count <= 64 }
            guard !lines.isEmpty else { continue }
            #expect(Self.read(Self.written(lines)[...]).lines == lines, "seed \(seed)")
        }
    }
}
