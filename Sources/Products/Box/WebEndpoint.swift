// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import Endpoint
import HTTP
import JSON
import Statistics
import System
import Time
import Venue
import Web

/// Serves the HTTP API and the live page. Requests that the web server's thread receives are executed on the event
/// loop's thread, and their outcomes are written as JSON on the web server's thread; events and messages are sent to
/// followers, pictures to viewers.
final class WebEndpoint {
    /// Unsent octets of a WebSocket from which no further message is queued; the rest waits in the event log or feed.
    private static let owedLimit = 64 << 10
    /// The number of encoded events that are kept for the slower followers.
    private static let encodedLimit = 64

    private struct Follower {
        var followed: WebFollower
        var owed = 0
        /// What the follower was admitted by.
        let request: HTTPRequest
    }

    /// The ports of the places where it listens.
    var ports: [UInt16]
    /// What the server was made with, and why it could not have what was planned; nil if it has that.
    let start: (plan: EndpointPlan, problem: SystemCallError?)
    /// The instant at which a caller that counts for `WorkingCondition.caller` last came, on a connection that it opened with
    /// the setup that is in effect; nil if none did.
    var lastCaller: Monotonic?
    /// The number of the last client that came before the setup that is in effect; nil if that has never changed.
    var newestBefore: UInt64?
    /// The change of the server that is being made; nil if there is none.
    var applying: (plan: EndpointPlan, end: (Status?) -> Void)?
    let terms: WebTerms
    let server: WebServer
    private let api: HTTPAPI
    private let dispatcher: Dispatcher
    private let once = OnceDispatcher()
    private var followers: [WebClient: Follower] = [:]
    /// Encoded events by sequence number, shared by all followers.
    private var encoded: [UInt64: [UInt8]] = [:]
    /// For each client that is shown pictures: ends them.
    private var viewers: [WebClient: (request: HTTPRequest, end: () -> Void)] = [:]
    private let pictures: PictureStream
    private let sources: (statistics: StatisticRegistry, files: Files)

    /// Files that features have.
    struct Files {
        /// Reads the file of an incident, and calls with it later.
        let readIncident: (_ id: String, @escaping (Result<[UInt8], Status>) -> Void) -> Void
        /// The file of the last capture, and its id.
        let capture: () -> Result<(id: String, octets: [UInt8]), Status>
    }

    /// - Parameters:
    ///   - headerOctets: the most that a request's line and fields may have.
    ///   - handler: must outlive the `WebEndpoint`.
    ///   - access: tells who callers are.
    init(
        _ plan: EndpointPlan, headerOctets: Int, loop: EventLoop, handler: any CommandHandler, access: HTTPAccess,
        pictures: PictureStream, statistics: StatisticRegistry, files: Files
    ) throws(SystemCallError) {
        self.pictures = pictures
        sources = (statistics, files)
        let terms = WebTerms(plan)
        self.terms = terms
        let api = HTTPAPI(
            access: access, catalogue: handler.catalogue, names: { terms.names },
            followerLimit: { terms.webSocketLimit }, document: { Box.openAPI }, pages: LivePage.pages)
        self.api = api
        dispatcher = Dispatcher(handler: handler)
        let late = LateHandler()
        let waker = try loop.makeWaker { late.handler() }
        let made = try Self.makeServer(
            plan, headerOctets: headerOctets, wake: { waker.wake() },
            admit: { request, openCount in api.refusal(ofFollower: request, openCount: openCount) })
        server = made.0
        ports = made.0.ports
        start = (made.1, made.2)
        late.handler = { [weak self] in self?.takeReports() }
    }

    /// Sends new events to their followers. To be called after every `EventLog.append`.
    func eventsAppended() { for client in Array(followers.keys) { pump(client) } }

    /// Sends new messages to the followers of the feed. To be called after every `MessageFeed.append`.
    func messagesAppended(to feed: MessageFeed) {
        for client in followers.filter({ $0.value.followed.feed === feed }).keys { pump(client) }
    }

    /// Sends what the clients take at once, then ends all connections.
    func stop() {
        for viewer in viewers.values { viewer.end() }
        viewers = [:]
        for follower in followers.values { leave(follower) }
        followers = [:]
        server.stop()
    }

    /// Ends what callers follow that may not any more. To be called when tokens or roles have changed.
    func admitAgain() {
        for (client, follower) in followers where !api.mayStay(follower.request) {
            server.close(client, status: 1_008)
        }
        // A stream of pictures ends with its connection; from now on it has no more of them.
        for (client, viewer) in viewers where !api.mayStay(viewer.request) {
            viewers[client] = nil
            viewer.end()
        }
    }

    private func takeReports() {
        for report in server.takeReports() {
            switch report {
            case .request(let client, let request):
                noteReach(client, request)
                serve(client, request)
            case .applied(let result): applied(result)
            case .opened(let client, let request):
                noteReach(client, request)
                follow(client, request)
            case .sent(let client, let octets):
                followers[client]?.owed -= octets
                pump(client)
            case .closed(let client):
                if let follower = followers.removeValue(forKey: client) { leave(follower) }
                viewers.removeValue(forKey: client)?.end()
            // No client can connect any more. The port stays bound, so that no other program is taken for the box.
            case .failed: break
            case .received: break  // the server was not asked to report messages
            }
        }
    }

    private func noteReach(_ client: WebClient, _ request: HTTPRequest) {
        guard newestBefore.map({ client.number > $0 }) ?? true, api.showsReach(request) else { return }
        lastCaller = SystemClock.monotonic()
    }

    private func serve(_ client: WebClient, _ request: HTTPRequest) {
        switch api.action(for: request) {
        case .respond(let response): server.respond(to: client, response)
        case .make(let response): server.respond(to: client, making: response)
        case .command(let request, let form, _) where request.command == "events" && !request.asksForStream:
            let events = dispatcher.events(request)
            server.respond(to: client) { [api] in api.response(to: .success(events.json), form) }
        case .command(let command, let form, let key):
            once.dispatch(command, once: key, by: dispatcher) { [server, api] outcome in
                server.respond(to: client) { api.response(to: outcome, form) }
            }
        case .picture(let query): show(client, query, request)
        case .incident(let id, let range):
            sources.files.readIncident(id) { [server, api] file in
                server.respond(to: client) { api.response(toIncident: file, id, range: range) }
            }
        case .capture(let range):
            let file = sources.files.capture()
            server.respond(to: client) { [api] in api.response(toCapture: file, range: range) }
        case .metrics:
            let snapshot = sources.statistics.snapshot()
            server.respond(to: client) {
                HTTPAPI.metrics(
                    snapshot.openMetrics(prefix: "touchline"), type: StatisticSnapshot.openMetricsType)
            }
        }
    }

    // MARK: Events

    private func follow(_ client: WebClient, _ request: HTTPRequest) {
        // Its token may have been revoked since the server's thread admitted it.
        guard api.mayStay(request) else { return server.close(client, status: 1_008) }
        switch api.following(request) {
        case .data(let channel)?: follow(client, data: channel, request)
        case .events(let place)?: follow(client, place, request)
        case nil: break  // the client was not admitted
        }
    }

    private func follow(_ client: WebClient, _ place: EventPlace, _ request: HTTPRequest) {
        let log = dispatcher.eventLog
        let follower = EventFollower(place, of: log)
        followers[client] = Follower(followed: WebFollower(follower), request: request)
        send(HTTPAPI.greeting(of: log, to: follower), to: client)
        pump(client)
    }

    /// A client that was admitted and is refused by the dispatcher is sent the status and no messages.
    private func follow(_ client: WebClient, data channel: String, _ request: HTTPRequest) {
        switch dispatcher.follow(dataChannel: channel) {
        case .success(let feed):
            followers[client] = Follower(followed: WebFollower(feed), request: request)
            send(HTTPAPI.greeting(of: feed), to: client)
        case .failure(let status): server.send((["status": status.json] as JSONValue).octets(), to: client)
        }
    }

    private func leave(_ follower: Follower) {
        if let feed = follower.followed.feed { dispatcher.leave(feed) }
    }

    private func pump(_ client: WebClient) {
        let log = dispatcher.eventLog
        while let follower = followers[client], follower.owed < Self.owedLimit,
            let message = followers[client]?.followed.next(of: log, message(of:))
        {
            send(message, to: client)
        }
    }

    private func send(_ message: [UInt8], to client: WebClient) {
        followers[client]?.owed += message.count
        server.send(message, to: client)
    }

    private func message(of step: EventFollower.Step) -> [UInt8] {
        guard case .event(let event) = step else { return step.message }
        if let known = encoded[event.sequence] { return known }
        if encoded.count >= Self.encodedLimit { encoded = [:] }
        let message = step.message
        encoded[event.sequence] = message
        return message
    }

    // MARK: Pictures

    private func show(_ client: WebClient, _ query: PictureQuery, _ request: HTTPRequest) {
        server.respond(to: client, api.streamed)
        let viewer = pictures.addViewer(perSecond: query.perSecond) { [server] picture in
            server.push(HTTPAPI.part(picture), to: client)
        }
        viewers[client] = (request, { [pictures] in pictures.removeViewer(viewer) })
    }
}
