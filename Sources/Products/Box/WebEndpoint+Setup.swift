// SPDX-License-Identifier: Apache-2.0
import Endpoint
import HTTP
import Synchronization
import System
import Venue
import Web

/// What the web server's thread asks of the settings.
final class WebTerms: Sendable {
    private let state: Mutex<(names: Set<String>, webSockets: Int)>

    init(_ plan: EndpointPlan) { state = Mutex((plan.names, plan.webSocketLimit)) }

    var names: Set<String> { state.withLock { $0.names } }
    var webSocketLimit: Int { state.withLock { $0.webSockets } }

    func set(_ plan: EndpointPlan) { state.withLock { $0 = (plan.names, plan.webSocketLimit) } }
}

/// Where the server listens.
extension WebEndpoint {
    /// Descriptors that the rest of the box may need beside connections.
    private static let otherDescriptors = 512

    /// Makes a server as the plan says. If it cannot have all places, it has those without TLS, or none: a box plays
    /// without HTTP, and the feature asks again later.
    /// - Returns: the server, what it has, and why it has no more.
    static func makeServer(
        _ plan: EndpointPlan, headerOctets: Int, wake: @escaping @Sendable () -> Void,
        admit: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse?
    ) throws(SystemCallError) -> (WebServer, EndpointPlan, SystemCallError?) {
        DescriptorLimit.raise(to: plan.limits.connections + otherDescriptors)
        var bounds = WebServer.Bounds()
        bounds.connections = HTTPSettings.mostConnections
        bounds.headerOctets = headerOctets
        var problem: SystemCallError?
        var attempt = plan
        for places in [plan.places, plan.places.filter { !$0.isSecure }] {
            attempt.places = places
            do {
                return (try WebServer(attempt.setup, bounds: bounds, wake: wake, admit: admit), attempt, problem)
            } catch {
                problem = problem ?? error
            }
        }
        attempt.places = []
        return (try WebServer(attempt.setup, bounds: bounds, wake: wake, admit: admit), attempt, problem)
    }

    /// Changes where the server listens, and what it bears. One change at a time.
    func apply(_ plan: EndpointPlan, _ end: @escaping (Status?) -> Void) {
        precondition(applying == nil, "one change of the server at a time")
        DescriptorLimit.raise(to: plan.limits.connections + Self.otherDescriptors)
        applying = (plan, end)
        server.apply(plan.setup)
    }

    func applied(_ result: Result<WebApplied, SystemCallError>) {
        guard let (plan, end) = applying else { return }
        applying = nil
        switch result {
        case .success(let applied):
            ports = applied.ports
            if let newest = applied.newestClient { (newestBefore, lastCaller) = (newest, nil) }
            terms.set(plan)
            end(nil)
        case .failure(let error): end(.failure(.failed, "HTTP cannot be served so: \(error)"))
        }
    }
}
