// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// The HTTP API as clients meet it that know nothing of us.
    @Suite struct WebEndpointTests {
        private func withBox(
            _ settings: JSONValue = [:], _ body: (BoxProcess, TestVenue, String) async throws -> Void
        ) async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess(settings, in: venue)
                guard let port = try await box.answer("status")["httpPort"]?.integer else {
                    throw VenueError("no HTTP: \(box.process.messages)")
                }
                try await body(box, venue, "http://127.0.0.1:\(port)")
            }
        }

        /// The body, and the code behind it as `curl -w` prints it.
        private func curl(_ venue: TestVenue, _ words: String...) async throws -> (code: Int, body: Data) {
            let child = try await venue.succeed(["curl", "-sS", "-m", "10", "-w", "%{http_code}"] + words)
            guard let code = Int(String(decoding: child.output.suffix(3), as: UTF8.self)) else {
                throw VenueError("curl: \(child.outputText)")
            }
            return (code, child.output.dropLast(3))
        }

        /// SVM-20, SVM-34: what a client asks of the socket, anybody asks by HTTP.
        @Test(.enabled(if: Peer.curl.isThere)) func everyLookIsTheClients() async throws {
            try await withBox(["channels": [Group().json.merging(patch: ["name": "One"])]]) { box, venue, url in
                let looks = ["channels", "streamers", "config", "version", "position", "streams", "playlists"]
                for look in looks {
                    let (code, body) = try await curl(venue, "\(url)/v1/\(look)")
                    let client = try await box.run(look, "--json")
                    if try await client.exitCode(within: .zero) == 0 {
                        #expect(code == 200, "\(look)")
                        #expect(try JSONValue.parse(Array(body)) == JSONValue.parse(Array(client.output)), "\(look)")
                    } else {
                        #expect(code == 409, "\(look): \(client.messages)")
                    }
                }
                for look in ["status", "stats", "events"] {
                    #expect(try await curl(venue, "\(url)/v1/\(look)").code == 200)
                }
                let one = try await curl(venue, "\(url)/v1/channels?kind=video&hidden=true")
                #expect(try JSONValue.parse(Array(one.body)).at("/channels/0/name") == "One")
                let page = try await curl(venue, "\(url)/")
                #expect(page.code == 200 && page.body.starts(with: Data("<!doctype html>".utf8)))
                let six = try await curl(
                    venue, url.replacingOccurrences(of: "127.0.0.1", with: "[::1]") + "/v1/version")
                #expect(six.code == 200)
                try Peer.curl.log(test: "everyLookIsTheClients", checks: looks.count + 6)
            }
        }

        @Test(.enabled(if: Peer.curl.isThere)) func commandsAndFailures() async throws {
            try await withBox(["channels": [Group().json.merging(patch: ["name": "One"])]]) { box, venue, url in
                let json = "Content-Type: application/json"
                let tuned = try await curl(venue, "-H", json, "-d", #"{"channel":"One"}"#, "\(url)/v1/tune")
                #expect(tuned.code == 200)
                #expect(try JSONValue.parse(Array(tuned.body))["channel"] == "One")
                #expect(try await box.answer("status")["channel"] == "One")
                #expect(try await curl(venue, "-X", "POST", "\(url)/v1/stop").code == 200)
                let large = try venue.directory.write(String(repeating: " ", count: 500_000), to: "large")
                for (code, words) in [
                    (409, ["-H", json, "-d", #"{"channel":"Two"}"#, "\(url)/v1/tune"]),
                    (400, ["-H", json, "-d", "{}", "\(url)/v1/tune"]),
                    (400, ["-H", json, "-d", "{", "\(url)/v1/tune"]),
                    (415, ["-d", "{}", "\(url)/v1/tune"]), (405, ["\(url)/v1/tune"]), (404, ["\(url)/v1/tunr"]),
                    (401, ["-X", "POST", "\(url)/v1/shutdown"]), (400, ["\(url)/v1/channels?kind=radio"]),
                    (403, ["-H", "Host: evil.example", "\(url)/v1/status"]),
                    (403, ["-H", "Origin: http://evil.example", "\(url)/v1/status"]),
                    (403, ["-H", "Origin: http://evil.example", "-X", "POST", "\(url)/v1/stop"]),
                    (413, ["-H", json, "--data-binary", "@\(large)", "\(url)/v1/tune"]),
                ] {
                    let child = try await venue.succeed(["curl", "-sS", "-m", "10", "-w", "%{http_code}"] + words)
                    let body = child.output.dropLast(3)
                    #expect(child.outputText.hasSuffix("\(code)"), "\(words.last ?? ""): \(child.outputText)")
                    #expect(try JSONValue.parse(Array(body))["isOk"] == false)
                }
                let picture = try await curl(venue, "-H", "Accept: image/png", "\(url)/v1/screenshot")
                #expect(picture.body.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
                #expect(try await box.answer("version")["version"] != nil)
                try Peer.curl.log(test: "commandsAndFailures", checks: 16)
            }
        }

        /// Each picture is whole in a browser before the next one is there: the delimiter and the next head follow it at
        /// once.
        @Test(.enabled(if: Peer.curl.isThere)) func theNewestPictureIsEnded() async throws {
            try await withBox { _, venue, url in
                let cut = try await venue.run(["curl", "-sSN", "-m", "3", "\(url)/v1/picture?fps=2"])
                #expect(try await cut.exitCode(within: .zero) == 28, "curl was to cut it off: \(cut.messages)")
                let head = Data("--touchline-picture\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
                var rest = cut.output
                #expect(rest.starts(with: head))
                rest = rest.dropFirst(head.count)
                var pictures = 0
                while let end = rest.range(of: Data("\r\n".utf8) + head) {
                    let picture = rest[..<end.lowerBound]
                    #expect(picture.starts(with: [0xff, 0xd8]) && picture.suffix(2) == Data([0xff, 0xd9]))
                    rest = rest[end.upperBound...]
                    pictures += 1
                }
                #expect(pictures >= 1 && rest.isEmpty, "\(rest.count) octets behind the last of \(pictures)")
                try Peer.curl.log(test: "theNewestPictureIsEnded", checks: pictures)
            }
        }

        /// Rules between settings are in no schema: what breaks one is refused with 422 although it is valid.
        private static let checks = """
            [checks.positive_data_acceptance]
            expected-statuses = ["2xx", "401", "403", "404", "409", "422", "429", "5xx"]

            """

        /// The phase "coverage" makes 2,900 requests of the schema of the settings, for each of these operations, and they
        /// took more than half of the time. In each run `GeneratedSettingsTests` holds that schema against generated
        /// documents; where everything is tried, this phase does.
        private static let fewerDocuments = """
            [[operations]]
            include-name = [
                "PUT /v1/config", "PATCH /v1/config", "POST /v1/config-merge", "POST /v1/config-replace",
                "POST /v1/config-check",
            ]
            phases.coverage.enabled = false
            phases.fuzzing.generation.max-examples = 8
            """

        /// The requests of the phase "fuzzing" to each operation. This is no option of the command, which would be for the
        /// operations above, too.
        private static func examples(_ count: Int) -> String { "[generation]\nmax-examples = \(count)\n" }

        /// Without a token nobody is anybody, so that the checks of authentication say something. They show many wrong ones.
        private static let access: JSONValue = [
            "access": ["loopbackRole": "none", "lockout": ["tries": 1_000, "total": 10_000]]
        ]

        /// Issue 4, show 4: the document, and the box against it, answers and authentication included. NUL is left out:
        /// libwebsockets hangs up on it.
        @Test(.enabled(if: Peer.schemathesis.isThere)) func schemathesisFindsNothing() async throws {
            try await withBox(Self.access) { box, venue, url in
                let token = try await box.answer("token-create", "schemathesis", "--role", "operator")["token"]?.string
                let settings =
                    Interop.triesAll
                    ? Self.checks + Self.examples(30) : Self.checks + Self.examples(8) + Self.fewerDocuments
                let file = try venue.directory.write(settings, to: "schemathesis.toml")
                let found = try await venue.run(
                    [
                        Peer.schemathesis.path, "--config-file", file, "run", "\(url)/v1/openapi.json",
                        "--header", "Authorization: Bearer \(try #require(token))", "--exclude-path", "/v1/picture",
                        "--generation-allow-x00", "false", "--generation-database",
                        "none", "--no-color", "--continue-on-failure", "--seed", "\(Interop.seed)",
                        // How fast it makes its requests says nothing of the box.
                        "--suppress-health-check", "too_slow",
                        "--report-dir", venue.directory.file("schemathesis"),
                    ], within: .seconds(300))
                #expect(try await found.exitCode(within: .zero) == 0, "\(found.outputText)\(found.messages)")
                #expect(box.process.isRunning)
                try Peer.schemathesis.log(test: "schemathesisFindsNothing", checks: 1)
            }
        }

        /// Issue 4, show 4: 200 WebSockets follow, one more never reads; resume by sequence.
        @Test(.enabled(if: Peer.websockets.isThere)) func manyFollowAndNoneBlocks() async throws {
            try await withBox { box, venue, url in
                let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("followers.py").path
                let port = url.split(separator: ":").last.map(String.init) ?? ""
                let child = try await venue.succeed(
                    [Peer.websockets.path, program, port, "500"], within: .seconds(120))
                let result = try JSONValue.parse(Array(child.output))
                #expect(result["whole"] == 200, "\(result)")
                #expect(result["resumed"] == true)
                #expect(result["foreignOrigin"] == 403)
                print("followers: slowest answer \(result["slowestMs"]?.text() ?? "") ms")
                #expect(box.process.isRunning)
                try Peer.websockets.log(test: "manyFollowAndNoneBlocks", checks: 203)
            }
        }

        /// A port of another's is told, and the box plays all the same.
        @Test func portInUse() async throws {
            try await withBox { first, venue, url in
                let port = try await first.answer("status")["httpPort"] ?? .null
                let second = try await BoxProcess(["http": ["port": port]], in: venue)
                #expect(try await second.answer("status")["httpPort"] == .null)
                let events = try await second.answer("events")["events"]?.array ?? []
                #expect(events.contains { $0["type"] == "service.httpFailed" && $0.at("/payload/port") == port })
                #expect(second.process.messages.contains("HTTP is not served"))
            }
        }
    }
}
