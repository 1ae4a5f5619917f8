// SPDX-License-Identifier: Apache-2.0

/// Whether packets follow each other at their distance (ETSI TR 101 290 5.2.1, 1.1): five sync bytes in a row are
/// believed, two wrong ones in a row are not.
@usableFromInline
struct SyncWatch: Sendable {
    static let packetsToLock = 5
    static let packetsToLose = 2

    private(set) var isLocked = false
    private var wrong = 0
    /// Good ones until there is nothing to follow.
    @usableFromInline private(set) var unsettled = SyncWatch.packetsToLock

    init() {}

    @usableFromInline
    mutating func good() {
        wrong = 0
        unsettled = max(0, unsettled - 1)
        if unsettled == 0 { isLocked = true }
    }

    /// - Returns: whether sync is lost with it.
    mutating func bad() -> Bool {
        wrong = min(wrong + 1, SyncWatch.packetsToLose)
        unsettled = SyncWatch.packetsToLock
        guard isLocked, wrong == SyncWatch.packetsToLose else { return false }
        isLocked = false
        return true
    }
}
