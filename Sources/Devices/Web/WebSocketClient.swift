// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System
import Time

/// Connections to WebSocket servers, all on one thread of its own: without TLS, without a sub-protocol, without a proxy.
///
/// No call waits for a server, and one server holds up no other. A host that is a name is looked up on a thread of its
/// own, at most eight names at a time; a look-up that takes longer than a connection may is left to end by itself, and
/// `stop` does not wait for it. The addresses of a name are tried one after the other, each for its share of the time.
public final class WebSocketClient: Sendable {
    /// Limit on connections at a time.
    public static let connectionLimit = 64
    /// Limit on the octets that wait to be sent on one connection.
    public static let unsentLimit = 256 << 10

    private let exchange: WebSocketService.Exchange
    private let thread: DedicatedThread
    private let lastNumber = Atomic<UInt64>(0)

    /// - Parameter wake: tells the owner that there are reports; called on the client's thread.
    public init(limits: Limits = Limits(), wake: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let exchange = WebSocketService.Exchange(wake: wake)
        let start = Start(try WebSocketService(exchange: exchange, limits: limits))
        self.exchange = exchange
        thread = try DedicatedThread("web-client") { start.service.run() }
    }

    /// Hands the service to its thread, which alone uses it from then on.
    private final class Start: @unchecked Sendable {
        let service: WebSocketService
        init(_ service: WebSocketService) { self.service = service }
    }

    /// Begins to connect. The first report is `opened`, or `closed` if there is no connection in time.
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address without brackets, which may end with its zone, or a name.
    ///   - path: with the query, sent exactly as it is: printable ASCII from a `/` on, at most 1,900 octets.
    public func connect(to host: String, port: UInt16, path: String) -> Connection {
        let connection = Connection(number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)
        exchange.post(.connect(connection, WebSocketTarget(host: host, port: port, path: path)))
        return connection
    }

    /// Sends a text message, which must be UTF-8; ignored unless the connection is open. If more than `unsentLimit` is
    /// waiting, the server does not read: the connection is closed with status 1008.
    public func send(_ message: [UInt8], to connection: Connection) { exchange.post(.send(connection, message)) }

    /// Closes the connection when what was sent to it before has gone, or after 5 s; ignored if it is closed.
    /// - Parameter status: status code (RFC 6455 §7.4), for instance 1000.
    public func close(_ connection: Connection, status: UInt16) { exchange.post(.close(connection, status: status)) }

    /// The reports since the last call, in order.
    public func takeReports() -> [Report] { exchange.takeReports().reports }

    /// Sends what the servers take at once and closes all connections with status 1001, unreported; returns when the
    /// thread has ended, which takes no longer than the turn that it is in.
    public func stop() {
        exchange.post(.stop)
        thread.join()
    }
}
