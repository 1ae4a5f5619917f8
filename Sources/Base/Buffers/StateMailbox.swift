// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A message that states how something is now. Of two messages about one subject only the newer one matters.
public protocol StateMessage: Sendable {
    associatedtype Subject: Hashable, Sendable

    /// What the message is about. There is a bounded number of subjects.
    var subject: Subject { get }
}

/// Messages about states, from any thread to one reader, which takes all of them between its own steps. None is ever
/// refused, and no state is lost.
///
/// While the reader takes them in time it gets every message, in order. When too many wait, only the newest message
/// about each subject is kept, in the order of the newest ones; the others are counted. So the mailbox never holds more
/// than `limit` messages or twice as many as there are subjects, whichever is more.
public final class StateMailbox<Message: StateMessage>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let hasMessages = Atomic<Bool>(false)
    private let superseded = Atomic<Int>(0)
    private let limit: Int
    /// Number of waiting messages at which the next merge takes place. Guarded by `messages`.
    private let threshold: Atomic<Int>
    private let notify: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: messages that may wait before they are merged.
    ///   - notify: called after each `post` on the posting thread; wakes the reader.
    public init(limit: Int = 1_024, notify: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        threshold = Atomic(limit)
        self.notify = notify
    }

    /// Number of messages dropped since the mailbox was made, because a newer one about their subject was waiting.
    public var supersededCount: Int { superseded.load(ordering: .relaxed) }

    public func post(_ message: Message) {
        messages.withLock { waiting in
            if waiting.count >= threshold.load(ordering: .relaxed) { merge(&waiting) }
            waiting.append(message)
        }
        hasMessages.store(true, ordering: .releasing)
        notify()
    }

    /// Every message posted since the last call, in order. Allocates nothing when there is none; else it makes room for
    /// the next few, so that a thread that posts seldom (the render thread, once a second) does not allocate.
    public func takeAll() -> [Message] {
        guard hasMessages.exchange(false, ordering: .acquiring) else { return [] }
        return messages.withLock { waiting in
            let taken = waiting
            waiting = []
            waiting.reserveCapacity(8)
            threshold.store(limit, ordering: .relaxed)
            return taken
        }
    }

    private func merge(_ waiting: inout [Message]) {
        var seen: Set<Message.Subject> = []
        let newest = waiting.reversed().filter { message in seen.insert(message.subject).inserted }
        superseded.wrappingAdd(waiting.count - newest.count, ordering: .relaxed)
        waiting = newest.reversed()
        threshold.store(max(limit, 2 * waiting.count), ordering: .relaxed)
    }
}
