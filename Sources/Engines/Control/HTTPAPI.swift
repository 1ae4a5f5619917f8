// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import JSON
import Venue

/// Version 1 of the HTTP API, without a socket: requests go in, commands and responses come out
/// (config/CONVENTIONS.md, HTTP). Every request has an answer.
public struct HTTPAPI: Sendable {
    public enum Action: Sendable {
        case respond(HTTPResponse)
        /// A response that takes long to make. Any thread may make it.
        case make(@Sendable () -> HTTPResponse)
        /// A command to be dispatched. `response(to:_:)` turns its outcome into the response.
        /// - Parameter once: the key under which it acts once; nil if the client gave none.
        case command(CommandRequest, Form, once: IdempotencyKey?)
        case picture(PictureQuery)
        /// The file of an incident, or a part of it. `response(toIncident:_:range:)` makes the response.
        case incident(id: String, range: String?)
        /// The file of the last capture, or a part of it. `response(toCapture:range:)` makes the response.
        case capture(range: String?)
        /// Every statistic as OpenMetrics text.
        case metrics
    }

    /// The form of the response to a command.
    public enum Form: Sendable {
        case json
        /// The picture itself rather than JSON about it.
        case png
    }

    static let prefix = "/v1/"
    /// The path of the metrics. Programs that collect metrics expect it here, so it does not depend on the API's
    /// version.
    static let metricsPath = "/metrics"

    let access: HTTPAccess
    let catalogue: Catalogue
    /// Names of the box besides its addresses, in lower case. Any thread may call it.
    let names: @Sendable () -> Set<String>
    /// The most WebSockets that may be open at one time. Any thread may call it.
    let followerLimit: @Sendable () -> Int
    private let document: @Sendable () -> [UInt8]
    private let pages: [String: HTTPPage]

    /// - Parameters:
    ///   - access: tells who callers are.
    ///   - catalogue: the commands that are served.
    ///   - names: gives the names of the box besides its addresses, in lower case. Any thread may call it.
    ///   - followerLimit: gives the most WebSockets that may be open at one time. Any thread may call it.
    ///   - document: gives the OpenAPI document as JSON. It is called for each request for it.
    ///   - pages: the files of the live page by their paths.
    public init(
        access: HTTPAccess, catalogue: Catalogue, names: @escaping @Sendable () -> Set<String> = { [] },
        followerLimit: @escaping @Sendable () -> Int = { 256 }, document: @escaping @Sendable () -> [UInt8] = { [] },
        pages: [String: HTTPPage] = [:]
    ) {
        self.access = access
        self.catalogue = catalogue
        self.document = document
        self.pages = pages
        self.names = names
        self.followerLimit = followerLimit
    }

    /// Serves every caller with the same role, which tests do.
    package init(
        role: Role, catalogue: Catalogue, names: @escaping @Sendable () -> Set<String> = { [] },
        document: @escaping @Sendable () -> [UInt8] = { [] }, pages: [String: HTTPPage] = [:]
    ) {
        self.init(
            access: .everybody(as: role), catalogue: catalogue, names: names, document: document, pages: pages)
    }

    public func action(for request: HTTPRequest) -> Action {
        do throws(HTTPRefusal) {
            try checkAdmission(request)
            if let page = pages[request.path] {
                try check(request, for: [.get, .head])
                return .respond(page.response)
            }
            if request.path == Self.prefix + "openapi.json" {
                try check(request, for: [.get, .head])
                return .make { [document] in .document(document(), type: "application/json") }
            }
            if request.path == Self.prefix + "session" { return .respond(try session(request)) }
            let caller = try caller(of: request, by: .http)
            if request.path == Self.metricsPath {
                try check(request, for: [.get, .head])
                try checkViewer(caller, at: request.path)
                return .metrics
            }
            guard request.path.hasPrefix(Self.prefix) else { throw notFound(request.path) }
            return try action(for: request, at: String(request.path.dropFirst(Self.prefix.count)), of: caller)
        } catch {
            return .respond(error.response)
        }
    }

    private func action(
        for request: HTTPRequest, at name: String, of caller: Caller
    ) throws(HTTPRefusal) -> Action {
        if name == "picture" {
            try check(request, for: [.get])
            try checkViewer(caller, at: request.path, seesScreen: true)
            return .picture(try pictureQuery(request.query))
        }
        if let incident = try incident(request, at: name, of: caller) { return incident }
        if let capture = try capture(request, at: name, of: caller) { return capture }
        if let command = routed(request, at: name) { return try action(for: request, routedTo: command, by: caller) }
        return try action(for: request, of: try command(name), by: caller)
    }

    private func action(
        for request: HTTPRequest, of command: CommandDescription, by caller: Caller
    ) throws(HTTPRefusal) -> Action {
        try check(request, for: (command.changesNothing ? [.get, .head, .post] : [.post]) + routes(at: command.name))
        try check(caller, for: command)
        let arguments = try request.method == .post ? body(of: request) : query(of: request, for: command)
        if let parameter = command.streamArgument, arguments[parameter] != nil {
            throw HTTPRefusal(
                400, .failure(.usage, "\(parameter): expected a WebSocket at \(Self.prefix)\(command.name)"))
        }
        let wantsPicture = request.method != .post && command.name == "screenshot" && Self.wantsPNG(request)
        return .command(
            try commandRequest(command, arguments, by: caller), wantsPicture ? .png : .json,
            once: try key(of: request, for: command, by: caller))
    }

    private func commandRequest(
        _ command: CommandDescription, _ arguments: JSONValue, by caller: Caller
    ) throws(HTTPRefusal) -> CommandRequest {
        do {
            var request = try CommandRequest(command, arguments: arguments)
            request.caller = caller
            return request
        } catch {
            throw HTTPRefusal(400, error.status)
        }
    }

    // MARK: Routes

    private func routes(at path: String) -> [HTTPMethod] {
        catalogue.commands.compactMap { $0.route?.path == path ? $0.route?.method.http : nil }
    }

    private func routed(_ request: HTTPRequest, at path: String) -> CommandDescription? {
        catalogue.commands.first { $0.route?.path == path && $0.route?.method.http == request.method }
    }

    /// The command whose route this is, with the body as the argument that the route names, and the query as the others.
    private func action(
        for request: HTTPRequest, routedTo command: CommandDescription, by caller: Caller
    ) throws(HTTPRefusal) -> Action {
        try check(caller, for: command)
        guard let argument = command.route?.body else { throw notFound(request.path) }
        let arguments = try document(of: request, as: argument, for: command)
        return .command(
            try commandRequest(command, arguments, by: caller), .json,
            once: try key(of: request, for: command, by: caller))
    }

    private func command(_ name: String) throws(HTTPRefusal) -> CommandDescription {
        guard let command = catalogue[name], !command.isLocal else {
            throw notFound(Self.prefix + name)
        }
        return command
    }

    private func notFound(_ path: String) -> HTTPRefusal {
        let shown = path.unicodeScalars.count <= 80 ? path : "\(path.prefix(77))…"
        return HTTPRefusal(
            404,
            .failure(.usage, "there is nothing at \(JSONValue.string(shown).text()); see \(Self.prefix)openapi.json"))
    }

    private static func wantsPNG(_ request: HTTPRequest) -> Bool {
        MediaRange.prefers("image", "png", to: (type: "application", subtype: "json"), accept: request.accept)
    }
}

extension HTTPRoute.Method {
    fileprivate var http: HTTPMethod {
        switch self {
        case .put: .put
        case .patch: .patch
        }
    }
}
