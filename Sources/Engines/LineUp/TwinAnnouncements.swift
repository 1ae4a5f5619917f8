// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time

/// SDP of sessions that are announced in JSON too, remembered so that its repetitions are not parsed.
struct TwinAnnouncements: Sendable {
    private struct Record {
        var digest: Int
        var lastHeard: Monotonic
    }

    private var records: [Announcer.Key: Record] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// - Returns: whether this is the last twin of that key, as it was.
    mutating func repeats(
        _ key: Announcer.Key, _ form: SAPPacket.Form, _ payload: UnsafeRawBufferPointer, at now: Monotonic
    ) -> Bool {
        guard let record = records[key], record.digest == Self.digest(form, payload) else { return false }
        records[key]?.lastHeard = max(record.lastHeard, now)
        return true
    }

    mutating func store(
        _ key: Announcer.Key, _ form: SAPPacket.Form, _ payload: UnsafeRawBufferPointer, at now: Monotonic
    ) {
        guard records[key] != nil || records.count < limit else { return }
        records[key] = Record(digest: Self.digest(form, payload), lastHeard: now)
    }

    mutating func prune(at now: Monotonic) {
        records = records.filter { now - $0.value.lastHeard < LineUpFault.memory }
    }

    /// Differs from process to process, so that nobody can prepare two payloads of one digest.
    private static func digest(_ form: SAPPacket.Form, _ payload: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(form)
        hasher.combine(bytes: payload)
        return hasher.finalize()
    }
}
