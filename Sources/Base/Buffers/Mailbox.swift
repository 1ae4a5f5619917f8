// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Messages from any thread to one that takes them all between its own steps (commands to the render thread, reports
/// to the control plane). `notify` runs after each `post`, on the posting thread: it wakes the reader.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let hasMessages = Atomic<Bool>(false)
    private let limit: Int
    private let notify: @Sendable () -> Void

    /// - Parameter limit: messages kept; a post beyond it is refused.
    public init(limit: Int = 1_024, notify: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.notify = notify
    }

    /// - Returns: false when the box is full and the message was not kept.
    @discardableResult
    public func post(_ message: Message) -> Bool {
        let isKept = messages.withLock { kept in
            guard kept.count < limit else { return false }
            kept.append(message)
            return true
        }
        guard isKept else { return false }
        hasMessages.store(true, ordering: .releasing)
        notify()
        return true
    }

    /// Everything posted since the last call, in order. Allocates nothing when there is nothing; else room for the next
    /// few, so that whoever posts (the render thread, once a second) does not.
    public func takeAll() -> [Message] {
        guard hasMessages.exchange(false, ordering: .acquiring) else { return [] }
        return messages.withLock { kept in
            let taken = kept
            kept = []
            kept.reserveCapacity(8)
            return taken
        }
    }
}
