// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// G-47: who may do what, as curl, a shell and other users meet it.
    @Suite struct AccessTests {
        private struct Reply {
            let code: Int
            let head: String
            let body: JSONValue
        }

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

        private func curl(_ venue: TestVenue, _ words: String...) async throws -> Reply {
            let child = try await venue.succeed(["curl", "-sS", "-m", "10", "-i"] + words)
            let parts = child.outputText.components(separatedBy: "\r\n\r\n")
            let code = child.outputText.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            let body = parts.dropFirst().joined(separator: "\r\n\r\n")
            return Reply(code: code, head: parts[0], body: (try? JSONValue.parse(body)) ?? .null)
        }

        private let json = "Content-Type: application/json"

        /// From a blank box to an administrator: the code of the screen, the token, a session, and the end of both.
        @Test(.enabled(if: Peer.curl.isThere)) func aBoxIsClaimed() async throws {
            try await withBox(["access": ["loopbackRole": "none"]]) { box, venue, url in
                #expect(try await curl(venue, "\(url)/v1/status").code == 401)
                #expect(try await curl(venue, "\(url)/v1/session").body == ["claim": "closed"])
                let opened = try await box.answer("claim-open")
                let code = try #require(opened["code"]?.string)
                #expect(try await curl(venue, "\(url)/v1/session").body == ["claim": "open"])
                let wrong = try await curl(venue, "-H", json, "-d", #"{"code":"00000-00000"}"#, "\(url)/v1/claim")
                #expect(wrong.code == 409 && wrong.body["errorString"]?.string?.contains("4 more tries") == true)
                let made = try await curl(
                    venue, "-H", json, "-d", #"{"code":"\#(code.lowercased())","name":"anna"}"#, "\(url)/v1/claim")
                let token = try #require(made.body["token"]?.string)
                #expect(made.code == 200 && made.body["role"] == "administrator")
                let again = try await curl(venue, "-H", json, "-d", #"{"code":"\#(code)"}"#, "\(url)/v1/claim")
                #expect(again.code == 409 && again.body["errorString"]?.string?.contains("anna") == true)

                let bearer = "Authorization: Bearer \(token)"
                #expect(try await curl(venue, "-H", bearer, "\(url)/v1/status").code == 200)
                #expect(try await curl(venue, "-H", bearer, "\(url)/metrics").code == 200)
                #expect(try await curl(venue, "\(url)/metrics").code == 401)
                let jar = venue.directory.file("jar")
                let session = try await curl(
                    venue, "-c", jar, "-H", json, "-d", #"{"token":"\#(token)"}"#, "\(url)/v1/session")
                #expect(session.code == 200 && session.body["name"] == "anna")
                #expect(session.head.contains("HttpOnly; SameSite=Strict"))
                let changed = try await curl(
                    venue, "-b", jar, "-X", "PATCH", "-H", json, "-d", #"{"box":{"name":"B"}}"#, "\(url)/v1/config")
                #expect(changed.code == 200)
                #expect(try await box.answer("config-history").at("/revisions/0/author") == "http anna")
                // A page from elsewhere has the cookie and is refused all the same.
                let foreign = try await curl(
                    venue, "-b", jar, "-H", "Origin: http://evil.example", "-X", "POST", "\(url)/v1/shutdown")
                #expect(foreign.code == 403)
                #expect(try await curl(venue, "-b", jar, "-X", "DELETE", "\(url)/v1/session").code == 200)
                #expect(try await curl(venue, "-b", jar, "\(url)/v1/status").code == 401)

                _ = try await box.answer("token-revoke", "anna")
                let revoked = try await curl(venue, "-H", bearer, "\(url)/v1/status")
                #expect(revoked.code == 401 && revoked.head.contains("WWW-Authenticate: Bearer"))
                try await expectNoSecret([token, code, String(token.dropFirst(3))], box)
                try Peer.curl.log(test: #function, checks: 18)
            }
        }

        /// Neither the audit, nor the events, nor the log, nor the settings have one.
        private func expectNoSecret(_ secrets: [String], _ box: BoxProcess) async throws {
            for words in [["audit", "--limit", "200"], ["events"], ["config"], ["token-list"], ["access-status"]] {
                let child = try await box.run(words + ["--json"])
                for secret in secrets { #expect(!child.outputText.contains(secret), "\(words)") }
            }
            for secret in secrets { #expect(!box.process.messages.contains(secret)) }
            let entries = try await box.answer("audit", "--limit", "200")["entries"]?.array ?? []
            #expect(entries.contains { $0["command"] == "claim" && $0["outcome"] == "done" })
            #expect(entries.contains { $0["command"] == "claim" && $0["outcome"] == "failed" })
            #expect(entries.contains { $0["command"] == "session" && $0["name"] == "anna" })
            #expect(
                entries.contains { $0["command"] == "config-merge" && $0["name"] == "anna" && $0["origin"] == "http" })
            #expect(entries.contains { $0["outcome"] == "refused" && $0["address"] == "127.0.0.1" })
        }

        @Test(.enabled(if: Peer.curl.isThere)) func rolesAreKept() async throws {
            try await withBox { box, venue, url in
                for (role, mayTune, mayChange) in [
                    ("viewer", 403, 403), ("operator", 200, 403), ("administrator", 200, 200),
                ] {
                    let made = try await box.answer("token-create", role, "--role", role)
                    let bearer = "Authorization: Bearer \(made["token"]?.string ?? "")"
                    func code(_ words: String...) async throws -> Int {
                        let child = try await venue.succeed(
                            [
                                "curl", "-sS", "-m", "10", "-o", "/dev/null", "-w", "%{http_code}", "-H", bearer, "-H",
                                json,
                            ]
                                + words)
                        return Int(child.outputText) ?? 0
                    }
                    #expect(try await code("\(url)/v1/status") == 200)
                    #expect(try await code("-d", #"{"volume":30}"#, "\(url)/v1/volume") == mayTune, "\(role)")
                    let name = #"{"path":"box.name","value":"C"}"#
                    #expect(try await code("-d", name, "\(url)/v1/config-set") == mayChange, "\(role)")
                    #expect(try await code("-d", #"{"limit":1}"#, "\(url)/v1/audit") == mayChange, "\(role)")
                    #expect(try await code("-X", "POST", "\(url)/v1/claim-open") == 403, "\(role)")
                    #expect(try await code("-X", "POST", "\(url)/v1/access-reset") == 403, "\(role)")
                    // A WebSocket, by token and by subprotocol.
                    for field in [bearer, "Sec-WebSocket-Protocol: touchline, bearer.\(made["token"]?.string ?? "")"] {
                        let child = try await venue.run([
                            "curl", "-sS", "-m", "2", "-o", "/dev/null", "-w", "%{http_code}", "--http1.1", "-H",
                            "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13", "-H",
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "-H", field, "\(url)/v1/events",
                        ])
                        #expect(child.outputText == "101", "\(role), \(field.prefix(20)): \(child.outputText)")
                    }
                }
                try Peer.curl.log(test: #function, checks: 24)
            }
        }

        /// Tokens guessed as fast as one curl goes, over connections that stay.
        @Test(.enabled(if: Peer.curl.isThere)) func guessesAreThrottled() async throws {
            try await withBox { box, venue, url in
                let config = (0..<10_000).map { _ in "url = \"\(url)/v1/status\"\noutput = \"/dev/null\"" }.joined(
                    separator: "\n")
                let file = try venue.directory.write(config, to: "guesses")
                let started = ContinuousClock.now
                let child = try await venue.run(
                    ["curl", "-sS", "-H", "Authorization: Bearer tl-wrong", "-w", "%{http_code}\\n", "-K", file],
                    within: .seconds(120))
                let took = ContinuousClock.now - started
                let codes = child.outputText.split(separator: "\n")
                #expect(codes.count == 10_000 && codes.prefix(20).allSatisfy { $0 == "401" })
                // For each minute that it took there are some more looks.
                let looks = codes.filter { $0 == "401" }.count
                #expect(looks <= 20 * (1 + Int(took.components.seconds) / 60), "\(looks) in \(took)")
                #expect(codes.last == "429")
                print("guesses: 10000 in \(took), \(looks) looked at")
                let stats = try await box.answer("stats")
                #expect(stats.at("/stats/access/throttled")?.integer ?? 0 >= 9_900)
                // Who shows nothing goes on.
                #expect(try await curl(venue, "\(url)/v1/status").code == 200)
                try Peer.curl.log(test: #function, checks: 10_000)
            }
        }

        /// The kernel says who is at the other end: another user of this machine may look, where the socket lets it in at all.
        @Test(.enabled(if: getuid() == 0)) func anotherUserOfTheMachine() async throws {
            try await withBox { box, venue, _ in
                try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: box.socket)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755], ofItemAtPath: (box.socket as NSString).deletingLastPathComponent)
                func code(_ words: String...) async throws -> Int32 {
                    let client = try Programs.path("touchline")
                    let child = try await venue.run(
                        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", client, "--socket", box.socket]
                            + words)
                    return try await child.exitCode(within: .zero)
                }
                guard try await code("status") == 0 else {
                    print("SKIP: another user cannot run the client here")
                    #expect(!Required.everything)
                    return
                }
                for words in [["volume", "40"], ["claim-open"], ["token-list"]] {
                    let child = try await venue.run(
                        [
                            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                            try Programs.path("touchline"),
                            "--socket", box.socket,
                        ] + words)
                    #expect(try await child.exitCode(within: .zero) == 1, "\(words)")
                }
                #expect(try await box.answer("volume", "41")["volume"] == 41)
                let entries = try await box.answer("audit")["entries"]?.array ?? []
                #expect(entries.filter { $0["name"] == "uid 65534" && $0["outcome"] == "refused" }.count == 3)
            }
        }
    }
}
