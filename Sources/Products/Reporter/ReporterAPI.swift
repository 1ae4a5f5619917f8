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
    }

    /// Longer than that the web server keeps no request.
    static let longestWait = 25

    let boxToken: String
    let operatorToken: String
    /// nil: metrics are for people.
    var metricsToken: String?
    var retention = Retention()

    /// - Parameter now: the end of a span that has none.
    func wish(_ request: HTTPRequest, at now: WallTime) throws(ReporterRefusal) -> Wish {
        let (routes, variable) = ReporterRoute.of(path: request.path)
        guard let first = routes.first else {
            try check(request, .people)
            throw ReporterRefusal(404, "\(request.path): expected \(Self.paths)")
        }
        guard let route = routes.first(where: { $0.method == request.method }) else {
            try check(request, first.access)
            let methods = routes.map { $0.method.rawValue }
            let all = methods.dropLast().joined(separator: ", ")
            throw ReporterRefusal(
                405, "\(request.path): expected \(all.isEmpty ? "" : all + " or ")\(methods.last ?? "")")
        }
        try check(request, route.access)
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
        }
    }

    private static let paths: String = {
        var paths: [String] = []
        for route in ReporterRoute.allCases where !paths.contains(route.path) { paths.append(route.path) }
        return "a path below /v1: " + paths.sorted().joined(separator: ", ")
    }()

    private func check(_ request: HTTPRequest, _ access: ReporterRoute.Access) throws(ReporterRefusal) {
        let tokens: [String]
        switch access {
        case .anybody: return
        case .box: tokens = [boxToken]
        case .people: tokens = [operatorToken]
        case .metrics: tokens = [metricsToken ?? operatorToken]
        }
        let given = request.authorization ?? ""
        let isKnown = tokens.contains { Self.isSame(given, "Bearer \($0)") }
        guard isKnown else { throw ReporterRefusal(401, "expected Authorization: Bearer and the token for this path") }
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
