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

    let role: Role
    let catalogue: Catalogue
    /// Names of the box besides its addresses, in lower case. Any thread may call it.
    let names: @Sendable () -> Set<String>
    /// Whether callers beyond this machine are served. They come by TLS, and have to show who they are.
    let servesOthers: Bool
    /// The most WebSockets that may be open at one time. Any thread may call it.
    let followerLimit: @Sendable () -> Int
    private let document: @Sendable () -> [UInt8]
    private let pages: [String: HTTPPage]

    /// - Parameters:
    ///   - role: the role of every HTTP caller.
    ///   - catalogue: the commands that are served.
    ///   - names: gives the names of the box, by which others reach it.
    ///   - document: gives the OpenAPI document as JSON. It is called for each request for it.
    ///   - pages: the files of the live page by their paths.
    public init(
        role: Role, catalogue: Catalogue, names: @escaping @Sendable () -> Set<String> = { [] },
        servesOthers: Bool = false, followerLimit: @escaping @Sendable () -> Int = { 256 },
        document: @escaping @Sendable () -> [UInt8] = { [] }, pages: [String: HTTPPage] = [:]
    ) {
        self.role = role
        self.catalogue = catalogue
        self.document = document
        self.pages = pages
        self.names = names
        self.servesOthers = servesOthers
        self.followerLimit = followerLimit
    }

    public func action(for request: HTTPRequest) -> Action {
        do throws(HTTPRefusal) {
            try checkAdmission(request)
            if let page = pages[request.path] {
                try check(request, for: [.get, .head])
                return .respond(page.response)
            }
            if request.path == Self.metricsPath {
                try check(request, for: [.get, .head])
                return .metrics
            }
            guard request.path.hasPrefix(Self.prefix) else { throw notFound(request.path) }
            return try action(for: request, at: String(request.path.dropFirst(Self.prefix.count)))
        } catch {
            return .respond(error.response)
        }
    }

    private func action(for request: HTTPRequest, at name: String) throws(HTTPRefusal) -> Action {
        switch name {
        case "openapi.json":
            try check(request, for: [.get, .head])
            return .make { [document] in .document(document(), type: "application/json") }
        case "picture":
            try check(request, for: [.get])
            return .picture(try pictureQuery(request.query))
        default:
            if let command = routed(request, at: name) { return try action(for: request, routedTo: command) }
            return try action(for: request, of: try command(name))
        }
    }

    private func action(for request: HTTPRequest, of command: CommandDescription) throws(HTTPRefusal) -> Action {
        try check(request, for: (command.changesNothing ? [.get, .head, .post] : [.post]) + routes(at: command.name))
        if let refusal = Dispatcher.refusal(of: command, for: role) { throw HTTPRefusal(403, refusal) }
        let arguments = try request.method == .post ? body(of: request) : query(of: request, for: command)
        if let parameter = command.streamArgument, arguments[parameter] != nil {
            throw HTTPRefusal(
                400, .failure(.usage, "\(parameter): expected a WebSocket at \(Self.prefix)\(command.name)"))
        }
        let once = try key(of: request, for: command)
        do {
            let wantsPicture = request.method != .post && command.name == "screenshot" && Self.wantsPNG(request)
            return .command(
                try CommandRequest(command, arguments: arguments), wantsPicture ? .png : .json, once: once)
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
        for request: HTTPRequest, routedTo command: CommandDescription
    ) throws(HTTPRefusal) -> Action {
        if let refusal = Dispatcher.refusal(of: command, for: role) { throw HTTPRefusal(403, refusal) }
        guard let argument = command.route?.body else { throw notFound(request.path) }
        let arguments = try document(of: request, as: argument, for: command)
        let once = try key(of: request, for: command)
        do {
            return .command(try CommandRequest(command, arguments: arguments), .json, once: once)
        } catch {
            throw HTTPRefusal(400, error.status)
        }
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
