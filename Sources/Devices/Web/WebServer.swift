// SPDX-License-Identifier: Apache-2.0
import HTTP
import System

/// HTTP/1.1 and WebSockets on a thread of its own. Nothing waits for it: a client that does not read its answer is
/// closed after a time, one that does not read its stream loses pieces, and what a WebSocket is owed the owner bounds.
public final class WebServer: Sendable {
    /// Connections of all kinds.
    public static let connectionLimit = 320
    /// Octets of a request's body.
    public static let bodyLimit = 64 << 10

    private let exchange: WebExchange
    private let thread: DedicatedThread

    /// - Parameters:
    ///   - wake: there are reports; called on the service thread.
    ///   - admit: whether a WebSocket is let in, of which so many are open: nil, or the refusal. Called on the service
    ///     thread.
    public init(
        _ listener: consuming LoopbackListener, wake: @escaping @Sendable () -> Void,
        admit: @escaping @Sendable (HTTPRequest, _ openCount: Int) -> HTTPResponse?
    ) throws(SystemCallError) {
        let exchange = WebExchange(wake: wake)
        let start = Start(try WebService(listener, exchange: exchange, admit: admit))
        self.exchange = exchange
        thread = try DedicatedThread("web") { start.service.run() }
    }

    /// Hands the service to its thread, which alone uses it from then on.
    private final class Start: @unchecked Sendable {
        let service: WebService
        init(_ service: WebService) { self.service = service }
    }

    public func takeReports() -> [WebReport] { exchange.takeReports() }

    public func respond(to client: WebClient, _ response: HTTPResponse) { exchange.post(.respond(client, response)) }

    /// The next piece of a streamed answer; takes the place of one that waits still.
    public func push(_ piece: [UInt8], to client: WebClient) { exchange.post(.push(client, piece)) }

    /// A text message, in UTF-8.
    public func send(_ message: [UInt8], to client: WebClient) { exchange.post(.send(client, message)) }

    /// Sends what the clients take at once, and closes all connections.
    public func stop() {
        exchange.post(.stop)
        thread.join()
    }
}
