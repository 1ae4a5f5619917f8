// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Messages from any thread to one reader, which takes all of them between its own steps (commands to the render
/// thread, reports to the control plane). `notify` runs after each `post`, on the posting thread, and wakes the reader.
public final class Mailbox<Message: Sendable>: Sendable {
    // Beside their lock, not in it; see LatestValue.
    @usableFromInline nonisolated(unsafe) var messages: [Message] = []
    @usableFromInline let lock = Mutex(())
    @usableFromInline let hasMessages = Atomic<Bool>(false)
    @usableFromInline let limit: Int
    @usableFromInline let notify: @Sendable () -> Void

    /// - Parameter limit: number of messages kept; a further post is refused.
    @inlinable
    public init(limit: Int = 1_024, notify: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.notify = notify
    }

    /// - Returns: false when the mailbox is full and the message was not kept.
    @inlinable
    @discardableResult
    public func post(_ message: Message) -> Bool {
        let isKept = lock.withLock { _ in
            guard messages.count < limit else { return false }
            messages.append(message)
            return true
        }
        guard isKept else { return false }
        hasMessages.store(true, ordering: .releasing)
        notify()
        return true
    }

    /// Every message posted since the last call, in order. Allocates nothing when there is none; else it makes room for
    /// the next few, so that a thread that posts seldom (the render thread, once a second) does not allocate.
    @inlinable
    public func takeAll() -> [Message] {
        guard hasMessages.exchange(false, ordering: .acquiring) else { return [] }
        return lock.withLock { _ in
            let taken = messages
            messages = []
            messages.reserveCapacity(8)
            return taken
        }
    }

    /// Every message posted since the last call, in order, in place of what `taken` holds. The two arrays change places:
    /// once both have room for the most that comes at once, neither the reader nor those who post allocate for them.
    @inlinable
    public func takeAll(into taken: inout [Message]) {
        taken.removeAll(keepingCapacity: true)
        guard hasMessages.exchange(false, ordering: .acquiring) else { return }
        lock.withLock { _ in swap(&messages, &taken) }
    }
}
