// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import Testing
import Time
import Venue

@testable import Box

/// Where the box is served changes while it runs, and a change that cuts its callers off is taken back.
struct EndpointChangeTests {
    private static let ports: [JSONValue] = [21_261, 21_262]

    private func makeBox() throws -> RunningBox {
        let box = try RunningBox([
            "announcements": ["groups": []], "http": ["port": Self.ports[0]],
            "confirmation": ["withinS": 10, "steadyS": 1],
        ])
        _ = try box.await("status") { $0["httpPort"] == Self.ports[0] }
        return box
    }

    private func events(_ box: RunningBox) throws -> [String] {
        try box.answer("events")["events"]?.array?.compactMap { $0["type"]?.string } ?? []
    }

    @Test func callersThatDoNotComeBackTakeItBack() async throws {
        try await onThread {
            Result {
                let box = try makeBox()
                #expect(try box.http("GET", "/v1/version").code == 200)
                let report = try box.answer("config", "set", "http.port", Self.ports[1].text())
                #expect(report.at("/confirmation/expected") == ["caller"], "\(report)")
                #expect(report.at("/changes/0/effect") == "interruptsControl")
                #expect(try box.answer("status")["httpPort"] == Self.ports[1])
                // Nobody comes by the new port.
                _ = try box.await("status", within: .seconds(25)) { $0["httpPort"] == Self.ports[0] }
                #expect(try events(box).contains("service.settingsTakenBack"))
                #expect(try box.http("GET", "/v1/version").code == 200)
                #expect(box.end() == .ok)
            }
        }.get()
    }

    @Test func callersThatComeConfirmIt() async throws {
        try await onThread {
            Result {
                let box = try makeBox()
                #expect(try box.http("GET", "/v1/version").code == 200)
                let report = try box.answer("config", "set", "http.port", Self.ports[1].text())
                #expect(report.at("/confirmation/expected") == ["caller"])
                let deadline = SystemClock.monotonic() + .seconds(20)
                let pause = EventPause()
                while try !events(box).contains("service.settingsConfirmed"), SystemClock.monotonic() < deadline {
                    #expect(try box.http("GET", "/v1/version").code == 200)
                    pause.wait()
                }
                #expect(try events(box).contains("service.settingsConfirmed"))
                #expect(try box.answer("status")["httpPort"] == Self.ports[1])
                #expect(box.end() == .ok)
            }
        }.get()
    }

    /// Whom nobody called before is not missed; a port that is another's is refused, and all is as before.
    @Test func withoutCallersAndWithoutAPort() throws {
        let box = try makeBox()
        let taken = try TCPListener.loopback(port: 0)
        let refused = try box.answer("config", "set", "http.port", "\(taken.port)")
        #expect(refused["errorString"]?.string?.contains("bind 127.0.0.1") == true, "\(refused)")
        #expect(try box.answer("status")["httpPort"] == Self.ports[0])
        let report = try box.answer("config", "set", "http.port", Self.ports[1].text())
        #expect(report.at("/confirmation/expected") == [])
        #expect(try box.http("GET", "/v1/version").code == 200)
        #expect(box.end() == .ok)
    }

    /// A request with a key acts once by the socket, too, and GET needs none.
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
        #expect(box.end() == .ok)
    }
}
