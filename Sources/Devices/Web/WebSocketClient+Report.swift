// SPDX-License-Identifier: Apache-2.0
import Time

extension WebSocketClient {
    /// Identifies one connection of a client; it is never reused.
    public struct Connection: Hashable, Sendable {
        let number: UInt64
    }

    /// What a client reports to its owner.
    public enum Report: Hashable, Sendable {
        case opened(Connection)
        /// A text message, which is UTF-8 and within the limit.
        case received(Connection, [UInt8])
        /// The last report of a connection.
        case closed(Connection, ClosingReason)
    }

    /// Why there is no connection, or none any more.
    public enum ClosingReason: Hashable, Sendable {
        /// The server answered with this HTTP status code instead of opening a WebSocket. Redirections are not followed.
        case refused(httpStatus: Int)
        /// The host was not found, or nobody listens there, or who listens does not speak HTTP.
        case unreachable(String)
        /// There was no connection in time, or the server did not answer pings.
        case timedOut
        /// The server closed the connection; nil if without a status code, for instance because it died. The library
        /// reports 1002 instead of 1012 to 1014.
        case byServer(status: UInt16?)
        /// The owner closed it; or it was closed because the server sent too long a message (1009), a binary one (1003),
        /// one that is not UTF-8 (1007), or does not read or sends too fast (1008).
        case byClient(status: UInt16)
    }

    public struct Limits: Sendable {
        /// Time for look-up, connecting and the server's answer together.
        public var connecting: Nanoseconds
        /// Between two pings.
        public var pingPeriod: Nanoseconds
        /// A server from which nothing has come for so long is taken for dead; more than `pingPeriod`.
        public var silence: Nanoseconds
        /// Octets of one message.
        public var messageLimit: Int
        /// Messages of one connection that may wait for `takeReports`; together no more than 4 times `messageLimit`.
        public var unreadMessages: Int

        public init(
            connecting: Nanoseconds = .seconds(5), pingPeriod: Nanoseconds = .seconds(10),
            silence: Nanoseconds = .seconds(20), messageLimit: Int = 64 << 10, unreadMessages: Int = 64
        ) {
            precondition(pingPeriod > .zero && silence > pingPeriod && messageLimit > 0 && unreadMessages > 0)
            self.connecting = connecting
            self.pingPeriod = pingPeriod
            self.silence = silence
            self.messageLimit = messageLimit
            self.unreadMessages = unreadMessages
        }
    }
}
