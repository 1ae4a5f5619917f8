// SPDX-License-Identifier: Apache-2.0
import System

/// One caller: its descriptor and what it said and is owed. Lives on the loop's thread.
final class ControlConnection {
    let descriptor: FileDescriptor
    var session = ControlSession()
    var watch: EventLoop.Watch?
    /// What the loop was last asked to wait for.
    var interest: EventLoop.Readiness = []
    var isClosed = false
    /// The messages that it follows.
    var feed: MessageFeed?

    /// Takes over what there is room for of what it follows.
    func pump(_ log: EventLog) {
        session.pump(log)
        if let feed { session.pump(feed) }
    }

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
