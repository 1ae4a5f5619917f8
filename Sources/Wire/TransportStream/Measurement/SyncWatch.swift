// SPDX-License-Identifier: Apache-2.0

/// Whether the packets are in sync (ETSI TR 101 290 5.2.1, 1.1): five consecutive sync bytes acquire sync, two
/// consecutive wrong ones lose it.
@usableFromInline
struct SyncWatch: Sendable {
    static let packetsToLock = 5
    static let packetsToLose = 2

    private(set) var isLocked = false
    private var wrong = 0
    /// Number of correct sync bytes until the state is settled.
    @usableFromInline private(set) var unsettled = SyncWatch.packetsToLock

    init() {}

    @usableFromInline
    mutating func good() {
        wrong = 0
        unsettled = max(0, unsettled - 1)
        if unsettled == 0 { isLocked = true }
    }

    /// - Returns: whether sync is lost by this one.
    mutating func bad() -> Bool {
        wrong = min(wrong + 1, SyncWatch.packetsToLose)
        unsettled = SyncWatch.packetsToLock
        guard isLocked, wrong == SyncWatch.packetsToLose else { return false }
        isLocked = false
        return true
    }
}
