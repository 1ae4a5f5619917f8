// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Boxes and users that two reporters know together, because both keep them in one PostgreSQL.
    @Suite(.enabled(if: Peer.curl.isThere && OpenSSLPeer.isThere && PostgresServer.isThere))
    struct EnrolmentClusterTests {
        /// Whoever enrols at one is known at the other; whoever is revoked at one is refused by the other soon; and either goes
        /// on alone.
        @Test func whatOneReporterDecidesTheOtherHeeds() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let server = try PostgresServer()
                let address = try server.makeDatabase()
                let (one, other) = (ReporterScene(venue, named: "one"), ReporterScene(venue, named: "other"))
                for reporter in [one, other] { try await reporter.start(isSimple: false, postgres: address) }
                let program = try Programs.path("touchline-reporter")
                let anna = try await venue.succeed([program, "--config", one.configuration, "init", "anna"]).outputText
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                let isTwice = try await venue.run([program, "--config", other.configuration, "init", "bob"]).outputText
                #expect(isTwice.isEmpty)
                for reporter in [one, other] {
                    let isKnown = try await eventually(within: .seconds(5)) {
                        try await reporter.curl("enrolments", anna).code == 200
                    }
                    #expect(isKnown)
                }
                let box = try await EnrolledPeer(venue, "b-1")
                let made = try await one.curl(
                    "enrolment-tokens", anna, "--data-binary", #"{"name":"t"}"#, "-H", "Content-Type: application/json")
                let token = made.document["token"]?.string ?? ""
                // At the other, by a token that it may not have read yet.
                let enrolled = try await box.enrol(at: other, token)
                #expect(enrolled.code == 201, "\(enrolled)")
                let credential = enrolled.document["credential"]?.string ?? ""
                #expect(try await box.send(1, credential, to: other) == 200)
                let isKnown = try await eventually(within: .seconds(5)) {
                    try await box.send(2, credential, to: one) == 200
                }
                #expect(isKnown)

                #expect(try await one.curl("boxes/b-1/credential?why=stolen", anna, "-X", "DELETE").code == 200)
                #expect(try await box.send(3, credential, to: one) == 403)
                let began = ContinuousClock.now
                let isRefused = try await eventually(within: .seconds(5)) {
                    try await box.send(3, credential, to: other) == 403
                }
                let late = ContinuousClock.now - began
                #expect(isRefused)
                print("a revocation counted at the other reporter after at most \(late)")
                #expect(late < .seconds(3))

                // Somebody approves it at one; that reporter is killed, and the box comes to the other.
                #expect(try await box.enrol(at: one, token).code == 202)
                let waiting = try await one.curl("enrolments", anna).document
                let pending = waiting.at("/enrolments/0/enrolment")?.string ?? ""
                #expect(
                    try await one.curl(
                        "enrolments/\(pending)", anna, "--data-binary", #"{"approve":true}"#, "-H",
                        "Content-Type: application/json"
                    ).code == 200)
                try await one.kill()
                let again = try await box.enrol(at: other, "")
                #expect(again.code == 201, "\(again)")
                let next = again.document["credential"]?.string ?? ""
                #expect(try await box.send(4, next, to: other) == 200)
                #expect(try await box.send(5, credential, to: other) == 401)
                try await one.start(isSimple: false, postgres: address)
                #expect(try await box.send(6, next, to: one) == 200)
                try Peer.curl.log(test: "enrolment cluster", checks: 12)
            }
        }
    }
}
