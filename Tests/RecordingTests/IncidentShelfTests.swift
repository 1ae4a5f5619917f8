// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System
import TestSupport
import Testing
import Time

@testable import Recording

/// A disk with so much room, which can be taken away.
final class MemoryDisk: IncidentFiles {
    struct State {
        var files: [String: [UInt8]] = [:]
        var room = Int.max
        var isReadOnly = false
        var writes = 0
    }
    let state = Mutex(State())

    var names: [String] { state.withLock { $0.files.keys.sorted() } }

    func list() throws(SystemCallError) -> [(name: String, octets: Int)] {
        state.withLock { $0.files.map { ($0.key, $0.value.count) } }
    }

    func write(_ name: String, _ octets: [UInt8]) throws(SystemCallError) {
        let problem: Errno? = state.withLock { state in
            if state.isReadOnly { return Errno(rawValue: 30) }
            guard state.files.values.reduce(0, { $0 + $1.count }) + octets.count <= state.room else {
                return Errno(rawValue: 28)
            }
            state.files[name] = octets
            state.writes += 1
            return nil
        }
        if let problem { throw SystemCallError("write \(name)", problem) }
    }

    func read(_ name: String) throws(SystemCallError) -> [UInt8]? { state.withLock { $0.files[name] } }

    func remove(_ name: String) throws(SystemCallError) {
        guard state.withLock({ $0.isReadOnly ? nil : $0.files.removeValue(forKey: name) }) != nil else {
            throw SystemCallError("unlink \(name)", Errno(rawValue: 30))
        }
    }
}

@Suite struct IncidentShelfTests {
    private func id(_ second: Int64, _ kind: Incident.Kind = .stall) -> String {
        Incident.id(kind, at: WallTime(nanoseconds: (1_795_262_400 + second) * 1_000_000_000), nonce: 7)
    }

    @Test func anIdSaysWhenAndWhat() {
        let text = id(0, .crash)
        #expect(Incident.kind(of: text) == .crash)
        #expect(Incident(id: text, octets: 1).time == "2026-11-21T12:00:00Z")
        #expect(text == "20261121T120000-crash-0007")
        for wrong in ["", "../../etc/passwd", "20261121T120000-crash", "20261121T12000/-crash-0007", text + "x"] {
            #expect(Incident.kind(of: wrong) == nil)
        }
    }

    @Test func theOldestGiveWay() throws {
        let disk = MemoryDisk()
        let shelf = IncidentShelf(disk)
        let limits = IncidentShelf.Limits(octets: 1_000, count: 4)
        for second in 0..<10 { try shelf.keep(id(Int64(second)), [UInt8](repeating: 1, count: 100), limits) }
        #expect(shelf.incidents.map(\.id) == (6..<10).reversed().map { id(Int64($0)) })
        try shelf.keep(id(20), [UInt8](repeating: 1, count: 800), limits)
        #expect(shelf.incidents.count == 3 && shelf.total == 1_000)
        try shelf.trim(to: .init(octets: 850, count: 4))
        #expect(shelf.incidents.map(\.id) == [id(20)])
        let again = IncidentShelf(disk)
        disk.state.withLock { $0.files["passwd.tli"] = [1] }
        disk.state.withLock { $0.files["notes"] = [1] }
        try again.look()
        #expect(again.incidents == shelf.incidents)
    }

    /// A full disk keeps what is on it, and the next incident is kept once there is room.
    @Test func aFullDiskRefusesAndRecovers() throws {
        let disk = MemoryDisk()
        let shelf = IncidentShelf(disk)
        let limits = IncidentShelf.Limits(octets: 10_000, count: 10)
        try shelf.keep(id(0), [UInt8](repeating: 1, count: 100), limits)
        disk.state.withLock { $0.room = 150 }
        #expect { try shelf.keep(id(1), [UInt8](repeating: 1, count: 100), limits) } throws: { $0 is SystemCallError }
        #expect(shelf.incidents.map(\.id) == [id(0)] && disk.names.count == 1)
        disk.state.withLock { $0.room = 1_000 }
        try shelf.keep(id(2), [UInt8](repeating: 1, count: 100), limits)
        #expect(try shelf.read(id(2))?.count == 100)
        #expect(try shelf.read("../x") == nil && shelf.remove("../x") == false)
    }
}
