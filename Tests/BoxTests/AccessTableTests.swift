// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import Credentials
import FeatureTesting
import HTTP
import Hosting
import JSON
import Settings
import Shapes
import Signing
import TestSupport
import Testing
import Time
import Venue

@testable import Box
@testable import DataChannels

/// Every command × role × way in (G-47): what is not allowed is refused, reaches nobody and is noted. The rows are those of
/// the catalogue, so that a new command is among them by itself.
@Suite struct AccessTableTests {
    /// Takes whatever gets through.
    private final class Recorder: CommandHandler {
        let catalogue = Box.catalogue
        let eventLog = EventLog()
        var hidesScreen = false
        private(set) var handled: [String] = []
        private(set) var acts: [Act] = []

        func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
            handled.append(request.command)
            answer(.success([:]))
        }
        func follow(dataChannel: String) -> Result<MessageFeed, Status> { .success(MessageFeed(of: dataChannel)) }
        func leave(_ feed: MessageFeed) {}
        func note(_ act: Act) { acts.append(act) }
        func forget() { (handled, acts) = ([], []) }
    }

    private static let commands = Box.catalogue.commands.filter { !$0.isLocal }
    private static let roles: [Role?] = [nil] + Role.allCases.map { Optional($0) }

    /// The rule, written down once more.
    private static func mayGive(_ command: CommandDescription, _ caller: Caller) -> Bool {
        let rank: [Role?: Int] = [nil: 0, .viewer: 1, .operator: 2, .administrator: 3]
        switch command.admission {
        case .everybody: return true
        case .atBox: return caller.role == .administrator && [.localSocket, .console].contains(caller.origin)
        case .role: return rank[caller.role, default: 0] >= rank[command.role, default: 9]
        }
    }

    /// Texts of which each format of an argument takes one.
    private static let texts: [JSONValue] = [
        "a", "/a", "lo", "192.0.2.1", "ws://192.0.2.1/cii", "udp://192.0.2.1:6677", "2026-11-21T01:02:03Z", "#0052a5",
        "1:00",
    ]

    /// Arguments that the command takes.
    private static func arguments(of command: CommandDescription) throws -> JSONValue {
        var generator = DocumentGenerator(seed: 1)
        var members: [String: JSONValue] = [:]
        for field in command.requestFields where field.isRequired {
            switch field.type {
            case .anything: members[field.name] = 1
            case .formatted:
                guard let text = texts.first(where: { field.type.accepts($0) }) else {
                    throw Status.failure(.failed, "\(command.name): no text for \(field.name)")
                }
                members[field.name] = text
            default: members[field.name] = generator.value(of: field.type)
            }
        }
        return .object(members)
    }

    // MARK: By the socket, and what goes the same way

    /// The console is a client of the socket; its user is who is logged in there.
    @Test(arguments: [Origin.localSocket, .console, .dataChannel, .http, .webSocket, .groupCommand])
    func byTheDispatcher(origin: Origin) throws {
        let handler = Recorder()
        let dispatcher = Dispatcher(handler: handler)
        var checked = 0
        for command in Self.commands {
            let arguments = try Self.arguments(of: command)
            for role in Self.roles {
                let caller = Caller(origin, role: role, name: "x")
                handler.forget()
                var outcome: Result<JSONValue, Status>?
                dispatcher.dispatch(command.name, arguments, of: caller) { outcome = $0 }
                let isAllowed = Self.mayGive(command, caller)
                let label = "\(command.name) as \(role?.rawValue ?? "nobody") by \(origin.rawValue)"
                if isAllowed {
                    #expect((try? outcome?.get()) != nil, "\(label): \(String(describing: outcome))")
                    #expect(handler.handled == (command.name == "events" ? [] : [command.name]), "\(label)")
                } else {
                    #expect(handler.handled.isEmpty, "\(label) got through")
                    #expect(handler.acts.count == 1 && handler.acts.first?.command == command.name, "\(label)")
                    if case .refused? = handler.acts.first?.outcome {} else { Issue.record("\(label) is not noted") }
                }
                // What changes something is noted, what only looks is not, but at the console everything is.
                let isNoted = !command.changesNothing || origin == .console && command.name != "events"
                if isAllowed { #expect(handler.acts.isEmpty != isNoted, "\(label)") }
                checked += 1
            }
        }
        #expect(checked == Self.commands.count * 4 && checked > 250)
    }

    /// A request that somebody has changed on its way through the program is checked once more.
    @Test func noRequestGoesRoundTheCheck() throws {
        let handler = Recorder()
        let dispatcher = Dispatcher(handler: handler)
        var request = try dispatcher.request("shutdown", [:], of: Caller(.localSocket, role: .administrator))
        request.caller = Caller(.http, role: .operator)
        var outcome: Result<JSONValue, Status>?
        dispatcher.dispatch(request) { outcome = $0 }
        #expect(handler.handled.isEmpty && (try? outcome?.get()) == nil)
    }

    // MARK: By HTTP

    /// Every route of the document, which is made of the catalogue, and those that are none of its commands.
    private static let routes: [(method: HTTPMethod, path: String, body: JSONValue?, command: CommandDescription?)] = {
        var routes: [(HTTPMethod, String, JSONValue?, CommandDescription?)] = []
        for command in commands {
            let body = (try? arguments(of: command)) ?? [:]
            routes.append((.post, "/v1/\(command.name)", body, command))
            if command.changesNothing {
                routes.append((.get, "/v1/\(command.name)", nil, command))
                routes.append((.head, "/v1/\(command.name)", nil, command))
            }
            if let route = command.route {
                routes.append((route.method == .put ? .put : .patch, "/v1/\(route.path)", [:], command))
            }
        }
        return routes
    }()

    @Test(arguments: [
        Gate.Standing(loopback: .operator, elsewhere: nil), Gate.Standing(loopback: nil, elsewhere: .viewer),
        Gate.Standing(loopback: .administrator, elsewhere: nil),
    ]) func byHTTP(standing: Gate.Standing) throws {
        let door = try AccessDoor(standing)
        var checked = 0
        for route in Self.routes {
            guard let command = route.command else { continue }
            for caller in door.callers {
                var request = AccessDoor.request(route.method, route.path, route.body)
                caller.show(&request)
                let code = door.code(request)
                let isAllowed = Self.mayGive(command, Caller(.http, role: caller.role))
                let label =
                    "\(route.method.rawValue) \(route.path) with \(caller.label) as \(caller.role?.rawValue ?? "nobody")"
                if isAllowed {
                    // A GET of what needs arguments has none here.
                    #expect(code == 200 || (code == 400 && route.method != .post), "\(label): \(code)")
                } else {
                    #expect(code == (caller.isKnown ? 403 : 401), "\(label): \(code)")
                }
                if case .command(let made, _, _) = door.api.action(for: request) {
                    #expect(made.caller.role == caller.role && made.caller.origin == .http, "\(label)")
                    #expect(isAllowed, "\(label)")
                }
                checked += 1
            }
        }
        #expect(checked > 1_000)
    }

    @Test func whatIsNoCommand() throws {
        let door = try AccessDoor(Gate.Standing(loopback: nil, elsewhere: .viewer))
        for caller in door.callers {
            func code(_ method: HTTPMethod, _ path: String) -> Int {
                var request = AccessDoor.request(method, path)
                caller.show(&request)
                return door.code(request)
            }
            for path in ["/", "/page.js", "/v1/openapi.json", "/v1/session"] {
                #expect(code(.get, path) == 200, "\(path) with \(caller.label)")
            }
            let expected = caller.role == nil ? 401 : 200
            for path in ["/metrics", "/v1/picture"] {
                #expect(code(.get, path) == expected, "\(path), \(caller.label)")
            }
            for path in ["/v1/events", "/v1/data"] {
                var request = HTTPRequest(
                    .get, path, query: path == "/v1/data" ? [Array("channel=a".utf8)] : [], host: "127.0.0.1:8080")
                caller.show(&request)
                let refusal = door.api.refusal(ofFollower: request, openCount: 0)
                #expect(refusal?.code == (caller.role == nil ? 401 : nil), "WebSocket \(path), \(caller.label)")
            }
        }
    }

    /// Without TLS nobody beyond this machine is served, whatever it shows.
    @Test func nobodyElsewhereWithoutTLS() throws {
        let door = try AccessDoor(Gate.Standing(loopback: .administrator, elsewhere: .viewer))
        for path in ["/", "/v1/session", "/v1/status", "/metrics"] {
            for caller in door.callers {
                var request = AccessDoor.request(.get, path)
                caller.show(&request)
                request.peer = HTTPPeer(
                    address: "192.0.2.7", localAddress: "192.0.2.1", localPort: 8_080, isLoopback: false,
                    isSecure: false)
                request.host = "192.0.2.1:8080"
                #expect(door.code(request) == 403, "\(path) with \(caller.label)")
                request.path = "/v1/events"
                #expect(door.api.refusal(ofFollower: request, openCount: 0)?.code == 403)
            }
        }
    }

    /// Callers reach the box if somebody does who has shown who it is, or who comes from elsewhere and has a role.
    @Test(arguments: [nil, Role.viewer]) func whoReachesTheBox(elsewhere: Role?) throws {
        let door = try AccessDoor(Gate.Standing(loopback: .administrator, elsewhere: elsewhere))
        func reaches(_ show: (inout HTTPRequest) -> Void) -> Bool {
            var request = AccessDoor.request(.get, "/v1/status")
            show(&request)
            return door.api.showsReach(request)
        }
        for caller in door.callers {
            let counts = caller.isKnown || caller.label == "nothing, from elsewhere" && elsewhere != nil
            #expect(reaches(caller.show) == counts, "\(caller.label) as \(caller.role?.rawValue ?? "nobody")")
            let isStranger = reaches {
                caller.show(&$0)
                $0.host = "evil.example"
            }
            #expect(!isStranger, "\(caller.label) by a name that is not the box's")
        }
        #expect(!reaches { $0.authorization = "Bearer tl-wrong" })
        #expect(door.gate.counters.unknown == 0, "a look is no guess")
    }

    /// Something wrong is not nothing: it has no role, not even that of who shows nothing.
    @Test func whatIsWrongIsNobody() throws {
        let door = try AccessDoor(Gate.Standing(loopback: .administrator, elsewhere: .viewer))
        for show in [
            { $0.authorization = "Bearer tl-wrong" }, { $0.authorization = "Basic YTpi" },
            { $0.subprotocols = "bearer.x" },
            { $0.cookie = "touchline-session=tl-x" },
        ] as [(inout HTTPRequest) -> Void] {
            var request = AccessDoor.request(.get, "/v1/status")
            show(&request)
            guard case .respond(let response) = door.api.action(for: request) else {
                Issue.record("it is served")
                continue
            }
            #expect(response.code == 401 && response.field("WWW-Authenticate") == "Bearer realm=\"touchline\"")
            #expect(response.field("Set-Cookie")?.contains("Max-Age=0") == true)
            request.path = "/v1/events"
            #expect(door.api.refusal(ofFollower: request, openCount: 0)?.code == 401)
        }
    }

    @Test func tenThousandGuessesAreThrottled() throws {
        let door = try AccessDoor(Gate.Standing(loopback: .operator, elsewhere: nil))
        var codes: [Int: Int] = [:]
        var last: HTTPResponse?
        for guess in 0..<10_000 {
            var request = AccessDoor.request(.get, "/v1/status")
            request.authorization = "Bearer tl-\(guess)"
            request.peer.address = "192.0.2.66"
            if case .respond(let response) = door.api.action(for: request) {
                codes[response.code, default: 0] += 1
                last = response
            }
        }
        #expect(codes == [401: 20, 429: 9_980], "\(codes)")
        #expect((1...60).contains(Int(last?.field("Retry-After") ?? "") ?? 0))
        // Neither the others nor who shows nothing wait.
        #expect(door.code(AccessDoor.request(.get, "/v1/status")) == 200)
        var other = AccessDoor.request(.get, "/v1/status")
        door.callers[0].show(&other)
        #expect(door.code(other) == 200)
    }

    @Test func theCookieIsForTheBrowserAlone() throws {
        let door = try AccessDoor(Gate.Standing(loopback: .operator, elsewhere: nil))
        var request = AccessDoor.request(.delete, "/v1/session")
        request.peer.isSecure = true
        guard case .respond(let response) = door.api.action(for: request) else {
            Issue.record("no response")
            return
        }
        #expect(
            response.field("Set-Cookie")
                == "touchline-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure")
        // A session that has ended is nobody.
        var asked = AccessDoor.request(.get, "/v1/session")
        door.callers[2].show(&asked)
        #expect(door.code(asked) == 200)
        var end = AccessDoor.request(.delete, "/v1/session")
        door.callers[2].show(&end)
        #expect(door.code(end) == 200 && door.code(asked) == 401)
    }

    /// While the screen shows the code of the claim, a viewer cannot read it off a picture.
    @Test func theCodeIsNotInAPicture() throws {
        let door = try AccessDoor(Gate.Standing(loopback: .operator, elsewhere: .viewer))
        door.gate.open(
            ClaimWindow(chance: [UInt8](repeating: 7, count: SecretText.codeOctets), until: .init(nanoseconds: .max)))
        for caller in door.callers {
            for path in ["/v1/screenshot", "/v1/picture"] {
                var request = AccessDoor.request(.get, path)
                caller.show(&request)
                let code = door.code(request)
                #expect((code == 200) == (caller.role == .administrator), "\(path), \(caller.label): \(code)")
            }
        }
        let handler = Recorder()
        handler.hidesScreen = true
        let dispatcher = Dispatcher(handler: handler)
        #expect(throws: Status.self) {
            try dispatcher.request("screenshot", [:], of: Caller(.localSocket, role: .operator))
        }
        _ = try dispatcher.request("screenshot", [:], of: Caller(.localSocket, role: .administrator))
    }

    // MARK: By data channels

    /// What the settings allow is done with the role operator at most, also if they allow everything.
    @Test func byDataChannels() throws {
        let consumption = DataConsumption(allowed: Self.commands.map(\.name), in: Box.catalogue)
        for command in Self.commands {
            let cue: JSONValue = ["command": .string(command.name), "arguments": try Self.arguments(of: command)]
            let isMade: Bool
            do {
                _ = try consumption.task(for: .cues, contentType: "", text: nil, octets: cue.octets())
                isMade = true
            } catch {
                isMade = false
            }
            #expect(isMade == (command.role <= .operator), "\(command.name)")
        }
    }

    // MARK: Secrets

    /// What answers a secret is marked, so that nothing keeps it.
    @Test func whatAnswersASecretIsMarked() {
        let secrets: Set = ["token", "code", "secret"]
        for command in Self.commands where !command.changesNothing {
            let isSecret = command.answer.fields.contains { secrets.contains($0.name) }
            #expect(command.answersSecret == isSecret, "\(command.name)")
        }
        #expect(Self.commands.filter(\.answersSecret).map(\.name) == ["token-create", "claim-open", "claim"])
    }

    /// No argument that may have a secret is shown by a log or the audit.
    @Test func whatIsSecretIsNotShown() throws {
        let mark = "s3cr3t-s3cr3t"
        for command in Self.commands {
            var members: [String: JSONValue] = [:]
            for field in command.requestFields {
                if field.isSecret { members[field.name] = .string(mark) }
                if case .anything = field.type { members[field.name] = ["a": [.string(mark)]] }
            }
            #expect(!command.shown(.object(members)).text().contains(mark), "\(command.name)")
        }
        #expect(Box.catalogue["claim"]?.shown(["code": .string(mark)]) == ["code": ValueKind.mask])
        let wrong = thrown(CommandError.self) {
            try CommandRequest(
                command: "claim", arguments: ["code": .string(String(repeating: mark, count: 20))], in: Box.catalogue)
        }
        #expect(wrong != nil && wrong?.description.contains(mark) == false)
    }
}
