// SPDX-License-Identifier: Apache-2.0
import Enrolling
import Foundation
import HTTP
import Journal
import Reports
import SignedEnvelopes
import Signing
import TestSupport
import Time

@testable import Reporter

/// The kinds of store that have to pass the same tests.
enum EnrolmentPlaceKind: String, CaseIterable {
    case sqlite, postgres

    /// Without PostgreSQL where it is not installed; that is told.
    static let allCases: [EnrolmentPlaceKind] = PostgresServer.isThere ? [.sqlite, .postgres] : [.sqlite]
}

/// An empty store, for any number of reporters. It is gone with the value.
final class EnrolmentPlace {
    let store: EnrolmentStore
    let configuration: ReporterConfiguration

    init(_ kind: EnrolmentPlaceKind) throws {
        var configuration = ReporterConfiguration()
        configuration.database =
            FileManager.default.temporaryDirectory.appending(path: "touchline-enrolment-\(UUID()).db").path
        _ = try ReporterStore(configuration.database)
        switch kind {
        case .sqlite: store = .sqlite(configuration.database)
        case .postgres:
            let address = try PostgresServer.shared.get().makeDatabase()
            configuration.postgres = address
            store = try .postgres(address)
        }
        self.configuration = configuration
    }

    deinit {
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: configuration.database + end)  // a leftover hurts nobody
        }
    }

    func perform(_ action: ReporterUsers.Action) throws -> String {
        try ReporterUsers.perform(action, configuration).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// What one reporter knows, without its threads.
struct EnrolmentScene {
    static let boxToken = "box-token-0123456789abcdef"
    static let operatorToken = "operator-token-0123456789"
    static let now = WallTime(nanoseconds: 1_800_000_000_000_000_000)

    struct Unexpected: Error {}

    let api = ReporterAPI(boxToken: boxToken, operatorToken: operatorToken)
    let known: KnownCallers
    let book: EnrolmentBook
    let desk: EnrolmentDesk

    init(_ store: EnrolmentStore) throws {
        let log = Journal().log(for: "reporter")
        known = KnownCallers(isShared: store.isShared)
        book = EnrolmentBook(store, known, log: log)
        let chance = (0..<32).map { _ in UInt8.random(in: 0...255) }
        guard let desk = EnrolmentDesk(store, known, chance: chance, log: log) else { throw Unexpected() }
        desk.submit = { [book] job in
            job(book)
            return true
        }
        self.desk = desk
        try book.follow()
    }

    static func request(
        _ method: HTTPMethod, _ path: String, _ token: String?, body: [UInt8] = [], query: [String] = []
    ) -> HTTPRequest {
        var request = HTTPRequest(method, path, query: query.map { Array($0.utf8) }, body: .octets(body))
        request.authorization = token.map { "Bearer \($0)" }
        return request
    }

    /// The code with which a request is refused; 200 if it is not.
    func code(_ request: HTTPRequest) -> Int {
        do throws(ReporterRefusal) {
            let caller = try desk.caller(of: request, by: api)
            _ = try api.wish(request, by: caller, at: Self.now)
            return 200
        } catch {
            return error.code
        }
    }

    func send(_ box: String, _ token: String?) -> Int {
        code(Self.request(.post, "/v1/boxes/\(box)/reports", token))
    }

    func envelope(_ box: String, _ key: UInt8, token: String? = nil) throws -> [UInt8] {
        let key = try SigningKey(seed: [UInt8](repeating: key, count: 32))
        var request = EnrolmentRequest()
        (request.box, request.nonce, request.token) = (box, try desk.nonce(), token)
        request.publicKey = key.verifyingKey.base64
        let plain = SignedEnvelope(payloadType: EnrolmentRequest.payloadType, payload: request.octets)
        return SignedEnvelope(
            payloadType: plain.payloadType, payload: plain.payload,
            signatures: [.init(keyID: "box", octets: key.signature(of: plain.signedOctets))]
        ).json.octets()
    }

    func enrol(_ box: String, _ key: UInt8, token: String? = nil) throws -> Enrolments.Outcome {
        let asked = try desk.proven(try envelope(box, key, token: token))
        let chance = (0..<SecretText.tokenOctets).map { _ in UInt8.random(in: 0...255) }
        return try book.commit { (all) throws(ReporterRefusal) in all.enrol(asked, chance: chance, at: Self.now) }
    }

    func issue(_ box: String, _ key: UInt8, token: String? = nil) throws -> String {
        guard case .issued(let text) = try enrol(box, key, token: token) else { throw Unexpected() }
        return text
    }

    func decide(_ change: (inout Enrolments) throws(Enrolments.Refusal) -> Void) throws {
        try book.commit { (all) throws(ReporterRefusal) in
            do throws(Enrolments.Refusal) {
                try change(&all)
            } catch {
                throw ReporterRefusal(409, "\(error)")
            }
        }
    }

    func approve(_ box: String) throws {
        guard let id = book.enrolments.pending.values.first(where: { $0.box == box })?.id else { throw Unexpected() }
        try decide { (all) throws(Enrolments.Refusal) in
            _ = try all.approve(id, name: "Gate", tags: nil, by: "anna", at: Self.now)
        }
    }

    func revoke(_ box: String) throws {
        try decide { (all) throws(Enrolments.Refusal) in
            _ = try all.revoke(box, why: "stolen", by: "anna", at: Self.now)
        }
    }

    func token(_ name: String, uses: Int64) throws -> String {
        var text = ""
        let expires = WallTime(nanoseconds: Self.now.nanoseconds + 60_000_000_000)
        let chance = (0..<SecretText.tokenOctets).map { _ in UInt8.random(in: 0...255) }
        try decide { (all) throws(Enrolments.Refusal) in
            text = try all.makeToken(
                name, uses: uses, expires: expires, boxName: nil, tags: [], by: "anna", chance: chance, at: Self.now)
        }
        return text
    }
}
