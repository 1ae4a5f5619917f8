// SPDX-License-Identifier: Apache-2.0
import Commands
import Time

/// The newest entries of the audit. Refusals push no changes out, and what is only about playing pushes nothing else out.
public struct AuditTrail: Sendable {
    /// Entries of each kind.
    static let limit = 256

    private var entries: [AuditEntry.Kind: [AuditEntry]] = [:]
    public private(set) var lastSequence: Int64 = 0

    public init() {}

    /// - Parameter lines: of the files, in any order; of several with one sequence number the last counts.
    public init(reading lines: [[UInt8]]) {
        var known: [Int64: AuditEntry] = [:]
        for line in lines {
            if let entry = AuditEntry(line: line) { known[entry.sequence] = entry }
        }
        for entry in known.values.sorted(by: { $0.sequence < $1.sequence }) { keep(entry) }
        lastSequence = known.keys.max() ?? 0
    }

    /// Adds an act. One that repeats the newest of its kind is counted there.
    /// - Returns: what is to be written to the disk; nil for a repetition that the disk has well enough.
    public mutating func add(_ act: Act, at time: WallTime) -> AuditEntry? {
        let entry = AuditEntry(act, sequence: lastSequence &+ 1, at: time)
        let kind = entry.kind
        // Somebody who guesses does so from one source, or from some that take turns.
        let recent = (entries[kind] ?? []).indices.suffix(kind == .refusal ? 32 : 1)
        if let index = recent.last(where: { entries[kind]?[$0].isRepeated(by: entry) == true }) {
            guard var known = entries[kind]?[index] else { return nil }
            known.count += 1
            known.last = max(known.last, time)
            entries[kind]?[index] = known
            // So that many repetitions make few lines: at 2, 4, 8 and so on.
            return known.count & (known.count - 1) == 0 ? known : nil
        }
        lastSequence = entry.sequence
        keep(entry)
        return entry
    }

    private mutating func keep(_ entry: AuditEntry) {
        var list = entries[entry.kind] ?? []
        if list.count >= Self.limit { list.removeFirst(list.count - Self.limit + 1) }
        list.append(entry)
        entries[entry.kind] = list
    }

    /// The newest entries, the newest first.
    /// - Parameter sequence: only entries before it; nil begins with the newest.
    public func entries(before sequence: Int64?, atMost count: Int) -> [AuditEntry] {
        let all = entries.values.joined().filter { entry in sequence.map { entry.sequence < $0 } ?? true }
        return Array(all.sorted { $0.sequence > $1.sequence }.prefix(max(0, count)))
    }
}
