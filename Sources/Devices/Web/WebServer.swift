// SPDX-License-Identifier: Apache-2.0
import HTTP
import System

/// HTTP/1.1 and WebSockets on a thread of its own. Clients never block it: one that does not read its answer is
/// disconnected after a time, and one that does not read its stream loses pieces. The owner limits what is queued for a
/// WebSocket.
public final class WebServer: Sendable {
    /// Limit on connections of all kinds.
    public static let connectionLimit = 320
    /// Limit on a request's body in octets.
    public static let bodyLimit = 320 << 10

    private let exchange: WebExchange
    private let thread: DedicatedThread

    /// - Parameters:
    ///   - wake: tells the owner that there are reports; called on the service thread.
    ///   - admit: decides about a new WebSocket, given how many are open; nil admits it, a response refuses it. Called
    ///     on the service thread.
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

    /// The reports since the last call: first what was sent, added up for each client, then the others in order.
    public func takeReports() -> [WebReport] { exchange.takeReports() }

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

    /// Sends what the clients take at once and closes all connections; returns when the thread has ended.
    public func stop() {
        exchange.post(.stop)
        thread.join()
    }
}
