// SPDX-License-Identifier: Apache-2.0
import System

/// One connection to the control socket: its descriptor and the state of its session. Lives on the loop's thread.
final class ControlConnection {
    let descriptor: FileDescriptor
    let peer: PeerCredentials
    var session = ControlSession()
    var watch: EventLoop.Watch?
    /// The readiness that the loop was last asked to wait for.
    var interest: EventLoop.Readiness = []
    var isClosed = false
    /// The data channel's messages that the caller follows; nil if it follows none.
    var feed: MessageFeed?

    /// Queues the events and messages that the client subscribed to for sending, as many as the send buffer has room for.
    func pump(_ log: EventLog) {
        session.pump(log)
        if let feed { session.pump(feed) }
    }

    init(_ descriptor: consuming FileDescriptor, _ peer: PeerCredentials) {
        self.descriptor = descriptor
        self.peer = peer
    }
}
