// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

/// Where the box is served changes while it runs, and a change that cuts its callers off is taken back (SVM-21). Its
/// boxes have the same ports, one after the other.
@Suite(.serialized) struct EndpointChangeTests {
    private static let ports: [JSONValue] = [21_261, 21_262]

    private func makeBox() throws -> RunningBox {
        let box = try RunningBox([
            "announcements": ["groups": []], "http": ["port": Self.ports[0]],
            "confirmation": ["withinS": 10, "steadyS": 1],
        ])
        _ = try box.await("status") { $0["httpPort"] == Self.ports[0] }
        return box
    }

    /// The field by which somebody shows who it is.
    private func token(_ box: RunningBox, _ name: String, _ role: Role = .viewer) throws -> String {
        let made = try box.answer("token-create", name, "--role", role.rawValue)
        let token = try #require(made["token"]?.string)
        return "Authorization: Bearer \(token)\r\n"
    }

    @Test func callersThatDoNotComeBackTakeItBack() async throws {
        try await onThread {
            Result {
                let box = try makeBox()
                #expect(try box.http("GET", "/v1/version", fields: try token(box, "anna")).code == 200)
                let report = try box.answer("config", "set", "http.port", Self.ports[1].text())
                #expect(report.at("/confirmation/expected") == ["caller"], "\(report)")
                #expect(report.at("/changes/0/effect") == "interruptsControl")
                #expect(try box.answer("status")["httpPort"] == Self.ports[1])
                // Programs of this machine come by the new port, and say nothing of those who control the box.
                _ = try box.await("status", within: .seconds(25)) { status in
                    // In between there may be no port.
                    _ = try? box.http("GET", "/v1/version")
                    return status["httpPort"] == Self.ports[0]
                }
                // The port is back before that is told.
                _ = try box.await("events") { RunningBox.types(of: $0).contains("service.settingsTakenBack") }
                #expect(try box.http("GET", "/v1/version").code == 200)
                #expect(box.end() == .ok)
            }
        }.get()
    }

    @Test func callersThatComeConfirmIt() async throws {
        try await onThread {
            Result {
                let box = try makeBox()
                let token = try token(box, "anna")
                #expect(try box.http("GET", "/v1/version", fields: token).code == 200)
                let report = try box.answer("config", "set", "http.port", Self.ports[1].text())
                #expect(report.at("/confirmation/expected") == ["caller"])
                _ = try box.await("events", within: .seconds(20)) { events in
                    #expect((try? box.http("GET", "/v1/version", fields: token))?.code == 200)
                    return RunningBox.types(of: events).contains("service.settingsConfirmed")
                }
                #expect(try box.answer("status")["httpPort"] == Self.ports[1])
                #expect(box.end() == .ok)
            }
        }.get()
    }

    /// Callers who were not there before, and those who show nothing, are not missed; a port that is another's is refused, and all is as before.
    @Test func withoutCallersAndWithoutAPort() throws {
        let box = try makeBox()
        let taken = try TCPListener.loopback(port: 0)
        let refused = try box.answer("config", "set", "http.port", "\(taken.port)")
        #expect(refused["errorString"]?.string?.contains("bind 127.0.0.1") == true, "\(refused)")
        #expect(try box.answer("status")["httpPort"] == Self.ports[0])
        #expect(try box.http("GET", "/v1/version").code == 200)
        let report = try box.answer("config", "set", "http.port", Self.ports[1].text())
        #expect(report.at("/confirmation/expected") == [])
        #expect(try box.http("GET", "/v1/version").code == 200)
        #expect(box.end() == .ok)
    }

    /// A request with a key acts once, and GET needs none. Another caller's same key is another.
    @Test func keysByHTTP() throws {
        let box = try makeBox()
        let fields = "Idempotency-Key: \"k\"\r\n"
        #expect(try box.http("POST", "/v1/volume", ["volume": 30], fields: fields).code == 200)
        #expect(try box.http("POST", "/v1/volume", ["volume": 50]).code == 200)
        #expect(try box.http("POST", "/v1/volume", ["volume": 30], fields: fields).body["volume"] == 30)
        #expect(try box.answer("status")["volume"] == 50)
        #expect(try box.http("POST", "/v1/volume", ["volume": 31], fields: fields).code == 422)
        #expect(try box.http("POST", "/v1/stop", nil, fields: fields).code == 422)
        #expect(try box.http("GET", "/v1/status", nil, fields: fields).code == 200)
        let bert = try token(box, "bert", .operator) + fields
        #expect(try box.http("POST", "/v1/volume", ["volume": 31], fields: bert).body["volume"] == 31)
        #expect(box.end() == .ok)
    }
}
