// SPDX-License-Identifier: Apache-2.0
import Collecting
import HTTP
import JSON
import Provisioning
import Reports
import SignedEnvelopes
import Time

/// Reads requests of boxes and of people. It changes nothing.
struct ReporterAPI {
    /// What a request asks for.
    enum Wish: Equatable {
        /// A box asks for another order than that of this entity tag, and waits for it so many seconds at most.
        case order(box: String, tag: String?, wait: Int)
        case report(SettingsReport)
        /// - Parameter envelope: the JSON text that boxes get.
        case begin(SignedOrder, envelope: String, Rollout.Terms)
        case stop
        case rollouts
        case rollout(Int64)
        /// A box sends reports.
        /// - Parameter octets: of the body; it may be compressed.
        case sendReports(box: String, octets: [UInt8], isCompressed: Bool)
        case boxes(after: String, limit: Int)
        case box(String)
        case reports(ReportQuery, isTable: Bool)
        case gaps(box: String)
        case air(AirQuery)
        case boxSums(BoxSumsQuery)
        case alerts(AlertQuery)
        case venues(after: String, limit: Int)
        case venueBoxes(venue: String, after: String, limit: Int)
        case venueAir(venue: String, AirQuery)
        case metrics
        case health
        case enrolling(EnrolmentWish)
    }

    /// Longer than that the web server keeps no request.
    static let longestWait = 25

    /// nil: each box has a credential of its own.
    let boxToken: String?
    /// nil: each person has a token of their own.
    let operatorToken: String?
    /// nil: metrics are for people.
    var metricsToken: String?
    var retention = Retention()

    /// - Parameters:
    ///   - caller: nil: whom the tokens of the configuration show.
    ///   - now: the end of a span that has none.
    func wish(
        _ request: HTTPRequest, by caller: ReporterCaller? = nil, at now: WallTime
    ) throws(ReporterRefusal) -> Wish {
        let caller = caller ?? configured(request) ?? .nobody
        let (routes, variable) = ReporterRoute.of(path: request.path)
        guard let first = routes.first else {
            try check(caller, .viewer, of: variable)
            throw ReporterRefusal(404, "\(request.path): expected \(Self.paths)")
        }
        guard let route = routes.first(where: { $0.method == request.method }) else {
            try check(caller, first.access, of: variable)
            let methods = routes.map { $0.method.rawValue }
            let all = methods.dropLast().joined(separator: ", ")
            throw ReporterRefusal(
                405, "\(request.path): expected \(all.isEmpty ? "" : all + " or ")\(methods.last ?? "")")
        }
        try check(caller, route.access, of: variable)
        if route.path.contains("{box}"), !(1...64).contains(variable.unicodeScalars.count) {
            throw ReporterRefusal(404, "the id of a box has 1 to 64 characters")
        }
        switch route {
        case .order: return try order(request, of: variable)
        case .report: return try report(request, of: variable)
        case .sendReports: return try reports(request, of: variable)
        case .begin: return try begin(request)
        case .stop: return .stop
        case .rollouts: return .rollouts
        case .rollout:
            guard let number = Int64(variable) else {
                throw ReporterRefusal(404, "\(request.path): expected the number of a roll-out")
            }
            return .rollout(number)
        case .venues, .venueBoxes, .venueAccessPoints, .venueChannels:
            return try venues(request, route, variable, at: now)
        case .boxes, .box, .reports, .gaps, .boxSums, .alerts, .accessPoints, .channels, .metrics, .health:
            return try reading(request, route, variable, at: now)
        case .nonce, .enrol, .enrolments, .decide, .tokens, .makeToken, .deleteToken, .rotate, .revoke, .forgetClones,
            .replace:
            return .enrolling(try enrolling(request, route, variable))
        }
    }

    private static let paths: String = {
        var paths: [String] = []
        for route in ReporterRoute.allCases where !paths.contains(route.path) { paths.append(route.path) }
        return "a path below /v1: " + paths.sorted().joined(separator: ", ")
    }()

    /// - Parameter box: that the path is about.
    private func check(
        _ caller: ReporterCaller, _ access: ReporterRoute.Access, of box: String
    ) throws(ReporterRefusal) {
        switch (access, caller) {
        case (.anybody, _), (.box, .anyBox), (.metrics, .collector): return
        case (.box, .box(let id)):
            guard id == box else { throw ReporterRefusal(403, "the credential is that of the box \(id) alone") }
        case (.metrics, .person) where metricsToken == nil: return
        case (.viewer, .person(_, let role)), (.operator, .person(_, let role)), (.administrator, .person(_, let role)):
            guard let needed = access.role, role < needed else { return }
            throw ReporterRefusal(403, "this needs the role \(needed.rawValue); the token has \(role.rawValue)")
        default: throw ReporterRefusal(401, "expected Authorization: Bearer and the token for this path")
        }
    }

    /// Whom a token of the configuration shows; nil if it is another one, or there is none.
    func configured(_ request: HTTPRequest) -> ReporterCaller? {
        let given = request.authorization ?? ""
        let tokens: [(String?, ReporterCaller)] = [
            (boxToken, .anyBox), (operatorToken, .person("operatorToken", .administrator)), (metricsToken, .collector),
        ]
        var found: ReporterCaller?
        for case (let token?, let caller) in tokens where Self.isSame(given, "Bearer \(token)") { found = caller }
        return found
    }

    /// Takes the same time for all texts of one length.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: Boxes

    private func order(_ request: HTTPRequest, of box: String) throws(ReporterRefusal) -> Wish {
        var wait = 0
        for part in request.query {
            let text = String(decoding: part, as: UTF8.self)
            guard text.hasPrefix("wait="), let seconds = Int(text.dropFirst(5)), (0...3_600).contains(seconds) else {
                throw ReporterRefusal(400, "\(text): expected wait=0…3600")
            }
            wait = min(seconds, Self.longestWait)
        }
        return .order(box: box, tag: request.ifNoneMatch, wait: wait)
    }

    private func report(_ request: HTTPRequest, of box: String) throws(ReporterRefusal) -> Wish {
        let report = try SettingsReport(octets: octets(of: request))
        guard report.box == box else {
            throw ReporterRefusal(422, "/box is \"\(report.box)\"; expected \"\(box)\", as the path has it")
        }
        return .report(report)
    }

    func octets(of request: HTTPRequest) throws(ReporterRefusal) -> [UInt8] {
        switch request.body {
        case .octets(let octets): return octets
        case .tooLarge(let limit): throw ReporterRefusal(413, "the body has more than \(limit) octets")
        case .ofUnknownLength: throw ReporterRefusal(411, "expected a Content-Length")
        }
    }

    // MARK: People

    private func begin(_ request: HTTPRequest) throws(ReporterRefusal) -> Wish {
        let document: JSONValue
        do {
            document = try JSONValue.parse(try octets(of: request), limits: JSONLimits(maximumDepth: 6))
        } catch let refusal as ReporterRefusal {
            throw refusal
        } catch {
            throw ReporterRefusal(400, "\(error)")
        }
        let names = ["envelope", "waves", "mostFailures", "patienceS"]
        if let other = document.object?.keys.sorted().first(where: { !names.contains($0) }) {
            throw ReporterRefusal(422, "/\(other): expected one of \(names.joined(separator: ", "))")
        }
        let order: SignedOrder
        let envelope: SignedEnvelope
        do {
            envelope = try SignedEnvelope(document["envelope"] ?? .null)
            guard envelope.payloadType == SignedOrder.payloadType else {
                throw EnvelopeError.otherType(envelope.payloadType)
            }
            order = try SignedOrder(payload: envelope.payload)
        } catch {
            throw ReporterRefusal(422, "/envelope: \(error)")
        }
        return .begin(order, envelope: envelope.json.text(), try terms(document))
    }

    private func terms(_ document: JSONValue) throws(ReporterRefusal) -> Rollout.Terms {
        var terms = Rollout.Terms()
        if let waves = document["waves"] {
            let read = waves.array?.map { Rollout.Wave($0) } ?? [nil]
            guard read.count <= 32, !read.contains(nil) else {
                throw ReporterRefusal(
                    422, "/waves is \(waves.text()); expected up to 32 of a number of boxes or a text like \"10%\"")
            }
            terms.waves = read.compactMap { $0 }
        }
        if let most = document["mostFailures"] {
            guard let count = most.integer, (0...Int64(DesiredState.mostBoxes)).contains(count) else {
                throw ReporterRefusal(
                    422, "/mostFailures is \(most.text()); expected an integer of 0...\(DesiredState.mostBoxes)")
            }
            terms.mostFailures = Int(count)
        }
        if let patience = document["patienceS"] {
            guard let seconds = patience.integer, (1...604_800).contains(seconds) else {
                throw ReporterRefusal(422, "/patienceS is \(patience.text()); expected an integer of 1...604800")
            }
            terms.patience = .seconds(seconds)
        }
        return terms
    }
}
