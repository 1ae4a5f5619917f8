// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Glibc
import System
import TestSupport

/// A disk with one directory, in memory. It counts what it is asked for, step by step as the kernel is, and fails or
/// ends the process at chosen steps. What was not flushed may be there after a loss of power or not: of a file, more
/// than its flushed octets by chance, with zeros in between; of a directory, each change of a name since its last flush
/// by itself.
final class FakeDisk: SpoolFiles {
    enum Fault: Hashable, CaseIterable {
        /// The step fails. Of octets, a part is written.
        case failure
        case diskFull
        /// The process ends before the step, or when it is done.
        case killedBefore
        case killedAfter
    }

    private struct Content {
        var flushed: [UInt8] = []
        var written: [UInt8] = []
        /// A flush has failed: what was written until then may never reach the disk, even if later flushes succeed.
        var isDoubtful = false
    }

    private enum NameChange {
        case add(String, content: Int)
        case move(String, to: String)
        case remove(String)
    }

    private var contents: [Content] = []
    /// What programs see.
    private var seen: [String: Int] = [:]
    /// What is certain.
    private var certain: [String: Int] = [:]
    private var unflushed: [NameChange] = []
    private var isThere = false

    /// Octets of all files together.
    var capacity = Int.max
    var isReadOnly = false
    /// By the number of the step.
    var faults: [Int: Fault] = [:]
    private(set) var steps = 0
    /// By the kind of step.
    private(set) var stepsOf: [String: Int] = [:]
    /// Whether the process has ended: whatever it seems to do until a new one starts, it does not.
    private(set) var isDead = false

    var used: Int { seen.values.reduce(0) { $0 + contents[$1].written.count } }
    var files: [String: [UInt8]] { seen.mapValues { contents[$0].written } }

    // MARK: What happens to it

    func kill() { isDead = true }

    /// A new process.
    func restart() { isDead = false }

    /// Somebody removes the directory.
    func vanish() {
        seen.keys.forEach { unflushed.append(.remove($0)) }
        seen = [:]
        isThere = false
    }

    /// Changes octets of a file behind everybody's back.
    func damage(_ name: String, _ change: (inout [UInt8]) -> Void) {
        guard let index = seen[name] else { return }
        change(&contents[index].written)
        contents[index].flushed = contents[index].written
    }

    func losePower(_ random: inout SplitMix64) {
        for change in unflushed where random.percent(50) { Self.apply(change, to: &certain) }
        for index in contents.indices {
            let left = Self.left(of: contents[index], &random)
            contents[index] = Content(flushed: left, written: left)
        }
        (seen, unflushed, isThere) = (certain, [], true)
    }

    private static func left(of content: Content, _ random: inout SplitMix64) -> [UInt8] {
        let (flushed, written) = (content.flushed, content.written)
        // The file was emptied since: the old octets, none, or the beginning of the new ones.
        guard written.starts(with: flushed) else {
            return random.one(of: [
                flushed, [], Array(written.prefix(Int.random(in: 0...written.count, using: &random))),
            ])
        }
        var left = written
        let more = flushed.count...written.count
        let (from, to) = (Int.random(in: more, using: &random), Int.random(in: more, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: left = flushed
        case 1: left = Array(written[..<from])
        case 2: for place in from..<written.count { left[place] = 0 }
        case 3: for place in min(from, to)..<max(from, to) { left[place] = 0 }
        default: break
        }
        return left
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .add(let name, let content): names[name] = content
        case .move(let old, let new): if let content = names.removeValue(forKey: old) { names[new] = content }
        case .remove(let name): names[name] = nil
        }
    }

    // MARK: Steps

    /// Does a step, unless it is one that fails.
    private func step(
        _ call: String, changes: Bool = true, _ effect: () -> Void = {}
    ) throws(SystemCallError) {
        guard !isDead else { throw SystemCallError(call, Errno(rawValue: EIO)) }
        steps += 1
        stepsOf[call, default: 0] += 1
        if isReadOnly, changes { throw SystemCallError(call, Errno(rawValue: EROFS)) }
        switch faults[steps] {
        case nil: return effect()
        case .failure: throw SystemCallError(call, Errno(rawValue: EIO))
        case .diskFull: throw SystemCallError(call, Errno(rawValue: ENOSPC))
        case .killedBefore: break
        case .killedAfter: effect()
        }
        isDead = true
        throw SystemCallError(call, Errno(rawValue: EIO))
    }

    private func open(_ name: String, empties: Bool) throws(SystemCallError) -> Int {
        isThere = true
        try step("open") {
            if let index = seen[name] {
                if empties { (contents[index].written, contents[index].isDoubtful) = ([], false) }
                return
            }
            contents.append(Content())
            seen[name] = contents.count - 1
            unflushed.append(.add(name, content: contents.count - 1))
        }
        guard let index = seen[name] else { throw SystemCallError("open", .notFound) }
        return index
    }

    private func write(_ octets: [UInt8], to index: Int) throws(SystemCallError) {
        let room = max(0, capacity - used)
        // Everything is written, or nothing; else a half.
        let isWhole = isDead || isReadOnly || faults[steps + 1] == .killedAfter
        do throws(SystemCallError) {
            try step("write") { contents[index].written += octets.prefix(room) }
        } catch {
            if !isWhole { contents[index].written += octets.prefix(min(room, octets.count / 2)) }
            throw error
        }
        if octets.count > room { throw SystemCallError("write", Errno(rawValue: ENOSPC)) }
    }

    private func flush(_ index: Int) throws(SystemCallError) {
        do throws(SystemCallError) {
            try step("fsync") {
                if !contents[index].isDoubtful { contents[index].flushed = contents[index].written }
            }
        } catch {
            contents[index].isDoubtful = true
            throw error
        }
    }

    // MARK: SpoolFiles

    func names() throws(SystemCallError) -> [String] {
        try step("readdir", changes: false)
        return Array(seen.keys)
    }

    func read(_ name: String, limit: Int) throws(SystemCallError) -> [UInt8]? {
        try step("read", changes: false)
        guard let octets = seen[name].map({ contents[$0].written }) else { return nil }
        guard octets.count <= limit else { throw SystemCallError("read", Errno(rawValue: EFBIG)) }
        return octets
    }

    func create(_ name: String, with octets: [UInt8]) throws(SystemCallError) {
        try write(octets, to: try open(name, empties: true))
    }

    func extend(_ name: String, by octets: [UInt8]) throws(SystemCallError) {
        guard let index = seen[name] else { throw SystemCallError("open", .notFound) }
        try write(octets, to: index)
    }

    func flush(_ name: String) throws(SystemCallError) {
        guard let index = seen[name] else { throw SystemCallError("open", .notFound) }
        try flush(index)
    }

    func flushNames() throws(SystemCallError) {
        guard isThere else { throw SystemCallError("open", .notFound) }
        try step("fsync directory", changes: false) {
            for change in unflushed { Self.apply(change, to: &certain) }
            unflushed = []
        }
    }

    func replace(_ name: String, with octets: [UInt8]) throws(SystemCallError) {
        let temporary = name + ".new"
        let index = try open(temporary, empties: true)
        try write(octets, to: index)
        try flush(index)
        try step("rename") {
            seen[name] = seen.removeValue(forKey: temporary)
            unflushed.append(.move(temporary, to: name))
        }
        try flushNames()
    }

    func remove(_ name: String) throws(SystemCallError) {
        guard seen[name] != nil else { return }
        try step("unlink") {
            seen[name] = nil
            unflushed.append(.remove(name))
        }
    }
}
