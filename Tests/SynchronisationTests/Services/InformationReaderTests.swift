// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import HTTP
import System
import TestSupport
import Testing
import Time
import Venue
import Web

@testable import Synchronisation

/// CSS-36: one server of CSS-CII is read, whatever it does.
@Suite(.serialized) struct InformationReaderTests {
    private final class Scene {
        let loop: EventLoop
        private(set) var results: [Result<InformationReader.Reading, InformationReader.Failure>] = []

        init() throws { loop = try EventLoop() }

        func read(_ url: String, for span: Nanoseconds = .zero) throws -> InformationReader {
            try InformationReader(CompanionScript.url(url), listeningFor: span, loop: loop) { [unowned self] in
                results.append($0)
            }
        }

        func forget() { results = [] }

        func awaits(_ what: String, _ isSo: () -> Bool) throws {
            let end = SystemClock.monotonic() + .seconds(20)
            while !isSo() {
                guard SystemClock.monotonic() < end else { throw Missing(what: what) }
                try loop.turn(atMost: .milliseconds(10))
            }
        }

        /// What is wrong, once nothing was read.
        func failure(_ url: String) throws -> String {
            let reader = try read(url)
            defer { reader.stop() }
            try awaits("an end") { !results.isEmpty }
            guard case .failure(let failure) = results.removeFirst() else { return "read" }
            return failure.description
        }

        struct Missing: Error { let what: String }
    }

    private func withScene(_ body: @escaping @Sendable (Scene) throws -> Void) async throws {
        try await onThread { Result { try body(try Scene()) } }.get()
    }

    private func services(_ scene: Scene) throws -> CompanionServices {
        let places = CompanionServices.Places([NumericAddress(v4: 0x7f00_0001)], port: 0, wallClockPort: 0)
        return try CompanionServices(at: places, loop: scene.loop)
    }

    private static func presenting(_ contentID: String, _ status: CIIMessage.ContentIDStatus) -> ContentInformation {
        var information = ContentInformation()
        (information.contentID, information.contentIDStatus) = (contentID, status)
        return information
    }

    @Test func theFirstMessageAndTheChanges() async throws {
        try await withScene { scene in
            let services = try services(scene)
            defer { services.stop() }
            // The wall clock has its port a little later; told then, it would be one more change.
            try scene.awaits("a wall clock") { services.wallClockURL != nil }
            services.publish(Self.presenting("dvb://1", .partial), PublishedTimelines())
            let url = try #require(services.informationURL).description
            let once = try scene.read(url)
            try scene.awaits("the first message") { !scene.results.isEmpty }
            let first = try scene.results[0].get()
            #expect(first.information.contentID == "dvb://1" && first.information.protocolVersion == .onePointOne)
            #expect(first.information.tsURL == services.timelineURL && first.changes.isEmpty)
            once.stop()
            try scene.awaits("nobody") { services.clientCounts.information == 0 }

            let reader = try scene.read(url, for: .seconds(1))
            try scene.awaits("a client") { services.clientCounts.information > 0 }
            services.publish(Self.presenting("dvb://1", .final), PublishedTimelines())
            services.publish(Self.presenting("dvb://2", .final), PublishedTimelines())
            try scene.awaits("the second reading") { scene.results.count == 2 }
            let second = try scene.results[1].get()
            #expect(second.information.contentID == "dvb://2" && second.information.contentIDStatus == .final)
            #expect(second.changes.suffix(2) == [[.contentIdStatus], [.contentId]])
            reader.stop()
        }
    }

    @Test func failuresSayWhatFailed() async throws {
        try await withScene { scene in
            #expect(try scene.failure("ws://127.0.0.1:9/cii").hasPrefix("not reached: "))
            let silent = try TCPListener.loopback(port: 0)
            #expect(try scene.failure("ws://127.0.0.1:\(silent.port)/") == "no connection in time")
            let services = try services(scene)
            defer { services.stop() }
            let port = services.port
            let listener = try TCPListener(["127.0.0.1"], port: 0)
            let muted = listener.port
            let mute = try WebServer(listener, messageLimit: 4_096, wake: {}, admit: { _, _ in nil })
            defer { mute.stop() }
            #expect(try scene.failure("ws://127.0.0.1:\(port)/other").hasPrefix("refused with HTTP status "))
            #expect(try scene.failure("ws://127.0.0.1:\(muted)/cii") == "connected, but no message came in 2 s")
            services.setEnabled(false)
            #expect(try scene.failure("ws://127.0.0.1:\(port)/cii") == "refused with HTTP status 403")
        }
    }

    @Test func rubbishIsNamed() async throws {
        try await withScene { scene in
            let listener = try TCPListener(["127.0.0.1"], port: 0)
            let port = listener.port
            let server = try WebServer(listener, messageLimit: 4_096, wake: {}, admit: { _, _ in nil })
            defer { server.stop() }
            for (text, reason) in [("{", "its message"), (#"{"protocolVersion":"2.0"}"#, "2.0"), ("{}", "1.1")] {
                let reader = try scene.read("ws://127.0.0.1:\(port)/cii")
                try scene.awaits("an end") {
                    for case .opened(let client, _) in server.takeReports() {
                        server.send(Array(text.utf8), to: client)
                    }
                    return !scene.results.isEmpty
                }
                let result = scene.results.last
                guard case .failure(let failure) = result else {
                    Issue.record("\(text) is read")
                    continue
                }
                #expect(failure.description.contains(reason), "\(failure)")
                reader.stop()
                scene.forget()
            }
        }
    }
}
