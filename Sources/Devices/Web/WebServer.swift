// SPDX-License-Identifier: Apache-2.0
import HTTP
import System

/// HTTP/1.1 and WebSockets, with and without TLS, on a thread of its own. Clients never block it: one that does not read
/// its answer is disconnected after a time, and one that does not read its stream loses pieces. The owner limits what is
/// queued for a WebSocket.
public final class WebServer: Sendable {
    /// What stays as it is while a server runs.
    public struct Bounds: Sendable {
        /// The most that `WebLimits.connections` may ever be.
        public var connections = WebLimits().connections
        /// Octets of a request's line and fields.
        public var headerOctets = WebContext.headerLimit
        /// Octets of a text message of a client, reported as `received`; 0: messages are ignored. A longer message closes
        /// its WebSocket with status 1009, a binary one with 1003, one that is not UTF-8 with 1007. A client of which 64
        /// messages, or 4 times the limit, are waiting for `takeReports` is sending too fast: 1008.
        public var messageOctets = 0

        public init() {}
    }

    private let exchange: WebService.Exchange
    private let thread: DedicatedThread
    /// The ports of the places that it was made with.
    public let ports: [UInt16]

    /// - Parameters:
    ///   - listener: where it listens; without TLS.
    ///   - connectionLimit: connections of all kinds; callers beyond it are answered with 503.
    ///   - messageLimit: `Bounds.messageOctets`.
    ///   - bodyLimit: `WebLimits.bodyOctets`.
    ///   - wake: tells the owner that there are reports; called on the service thread.
    ///   - admit: decides about a new WebSocket, given how many are open; nil admits it, a response refuses it. Called
    ///     on the service thread.
    public convenience init(
        _ listener: TCPListener, connectionLimit: Int = WebLimits().connections, messageLimit: Int = 0,
        bodyLimit: Int = WebLimits().bodyOctets,
        wake: @escaping @Sendable () -> Void,
        admit: @escaping @Sendable (HTTPRequest, _ openCount: Int) -> HTTPResponse?
    ) throws(SystemCallError) {
        var bounds = Bounds()
        bounds.connections = connectionLimit
        bounds.messageOctets = messageLimit
        var setup = WebSetup([])
        setup.limits.connections = connectionLimit
        setup.limits.bodyOctets = bodyLimit
        try self.init(setup, listener, bounds: bounds, wake: wake, admit: admit)
    }

    /// - Parameters:
    ///   - setup: where it listens, and what it bears.
    ///   - wake, admit: as above.
    /// - Throws: EADDRINUSE, among others; EINVAL if the certificate and its key are none.
    public convenience init(
        _ setup: WebSetup, bounds: Bounds, wake: @escaping @Sendable () -> Void,
        admit: @escaping @Sendable (HTTPRequest, _ openCount: Int) -> HTTPResponse?
    ) throws(SystemCallError) {
        try self.init(setup, nil, bounds: bounds, wake: wake, admit: admit)
    }

    private init(
        _ setup: WebSetup, _ listener: TCPListener?, bounds: Bounds, wake: @escaping @Sendable () -> Void,
        admit: @escaping @Sendable (HTTPRequest, _ openCount: Int) -> HTTPResponse?
    ) throws(SystemCallError) {
        let exchange = WebService.Exchange(wake: wake)
        let service = try WebService(setup, listener, exchange: exchange, bounds: bounds, admit: admit)
        ports = service.ports
        let start = Start(service)
        self.exchange = exchange
        thread = try DedicatedThread("web") { start.service.run() }
    }

    /// Hands the service to its thread, which alone uses it from then on.
    private final class Start: @unchecked Sendable {
        let service: WebService
        init(_ service: WebService) { self.service = service }
    }

    /// The reports since the last call: first what was sent, added up for each client, then the others in order.
    public func takeReports() -> [WebReport] {
        let taken = exchange.takeReports()
        return taken.sent.map { .sent(WebClient(number: $0.key), octets: $0.value) } + taken.reports
    }

    /// Changes where the server listens, its certificate and what it bears. Connections stay, and places that are in the
    /// old setup and in the new one stay open. The report `applied` follows. The certificate of a server that was made
    /// without one cannot be set.
    public func apply(_ setup: WebSetup) { exchange.post(.apply(setup)) }

    /// Answers a client's open request; ignored if the client is gone.
    public func respond(to client: WebClient, _ response: HTTPResponse) { respond(to: client) { response } }

    /// Answers a client's open request; ignored if the client is gone.
    /// - Parameter response: makes the response, on the service thread.
    public func respond(to client: WebClient, making response: @escaping @Sendable () -> HTTPResponse) {
        exchange.post(.respond(client, response))
    }

    /// Sends the next piece of a streamed answer; it replaces a piece that is still waiting.
    public func push(_ piece: [UInt8], to client: WebClient) { exchange.post(.push(client, piece)) }

    /// Sends a text message, which must be UTF-8.
    public func send(_ message: [UInt8], to client: WebClient) { exchange.post(.send(client, message)) }

    /// Closes a WebSocket when what was sent to it before has gone, or after 5 s; ignored if the client is gone.
    /// - Parameter status: status code (RFC 6455 §7.4), for instance 1001: the server is going away.
    public func close(_ client: WebClient, status: UInt16) { exchange.post(.close(client, status: status)) }

    /// Sends what the clients take at once and closes all connections, WebSockets with status 1001; returns when the
    /// thread has ended.
    public func stop() {
        exchange.post(.stop)
        thread.join()
    }
}
