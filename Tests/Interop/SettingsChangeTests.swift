// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Settings of the service as it is run: killed while it changes them, and changed by HTTP.
    @Suite struct SettingsChangeTests {
        /// SVM-12: whenever the service is killed, it starts with the last document that it acknowledged or with one that it
        /// was about to acknowledge, and with the whole of it.
        @Test func aKilledServiceHasTheOldDocumentOrTheNewOne() async throws {
            try await TestVenue.open { venue in
                var random = SplitMix64(seed: 9)
                let state = venue.directory.file("state")
                let file = try venue.directory.write(
                    #"{"http":{"isEnabled":false},"announcements":{"groups":[]}}"#, to: "c")
                let service = try Programs.path("touchlined")
                var (number, acknowledged) = (0, 0)
                for round in 0..<12 {
                    // Four starts in a row that end before their first picture give up the settings for those of the
                    // image, as SettingsProofTests show; on a busy machine a kill can come before the first picture.
                    try? FileManager.default.removeItem(atPath: "\(state)/starts")
                    let path = venue.directory.file("s\(round)")
                    let child = try venue.start(
                        [service, "--config", file, "--state", state, "--socket", path], name: "box\(round)")
                    var opened: ControlSocket?
                    _ = try await eventually(within: .seconds(10)) {
                        opened = try? ControlSocket(path)  // refused until the service listens
                        return try opened?.ask("version") != nil
                    }
                    let socket = try #require(opened)
                    let name = try socket.ask("config", ["path": "box.name"]).result["config"]?.string ?? ""
                    let tags = try socket.ask("config", ["path": "box.tags"]).result["config"]?.array ?? []
                    let found = Int(name) ?? 0
                    #expect((acknowledged...number).contains(found), "\(found) of \(acknowledged)...\(number)")
                    #expect(tags == (found == 0 ? [] : [.string("tag \(found)")]), "the document is not whole")
                    (number, acknowledged) = (found, found)
                    let end = ControlSocket.now() + Double.random(in: 0.0...0.05, using: &random)
                    var sent = 0
                    while ControlSocket.now() < end || sent == 0 {
                        number += 1
                        sent += 1
                        let patch: JSONValue = [
                            "box": ["name": .string("\(number)"), "tags": [.string("tag \(number)")]]
                        ]
                        if sent % 3 == 0 {
                            _ = try socket.send("config-merge", ["settings": patch])
                            break
                        }
                        _ = try socket.ask("config-merge", ["settings": patch])
                        acknowledged = number
                    }
                    child.signal(SIGKILL)
                    _ = try await child.exitCode(within: .seconds(5))
                }
            }
        }

        /// SVM-18, SVM-22 by curl: GET shows, PATCH merges, PUT replaces; what only the local socket may change is refused.
        @Test(.enabled(if: Peer.curl.isThere)) func settingsByHTTP() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess(["http": ["port": 0, "role": "administrator"]], in: venue)
                let port = try await box.answer("status")["httpPort"]?.integer ?? 0
                func curl(_ method: String, _ body: JSONValue?) async throws -> (code: String, answer: JSONValue) {
                    var words = [
                        "curl", "-s", "-X", method, "-w", "\n%{http_code}", "http://127.0.0.1:\(port)/v1/config",
                    ]
                    if let body { words += ["-H", "Content-Type: application/json", "-d", body.text()] }
                    let lines = try await venue.succeed(words).outputText.split(separator: "\n")
                    let code = String(lines.last ?? "")
                    return (code, try JSONValue.parse(lines.dropLast().joined(separator: "\n")))
                }
                let before = try await curl("GET", nil)
                #expect(before.code == "200" && before.answer.at("/config/box/name") == "Interop")
                let patched = try await curl("PATCH", ["box": ["name": "Hall"], "log": ["level": "debug"]])
                #expect(patched.code == "200" && patched.answer["changes"]?.array?.count == 2, "\(patched)")
                #expect(try await curl("GET", nil).answer.at("/config/box/name") == "Hall")
                let wrong = try await curl("PATCH", ["box": ["name": 7], "lgo": [:]])
                let text = wrong.answer["errorString"]?.string ?? ""
                #expect(wrong.code == "422" && text.contains("/box/name") && text.contains("/lgo"), "\(wrong)")
                #expect(try await curl("PATCH", ["http": ["port": 99]]).code == "409")
                var whole = try #require(before.answer["config"])
                whole["box"] = ["name": "Bar"]
                #expect(try await curl("PUT", whole).code == "200")
                let after = try await curl("GET", nil).answer
                #expect(after.at("/config/box/name") == "Bar" && after.at("/config/log/level") == "info")
                #expect(try await curl("DELETE", nil).code == "405")
                try Peer.curl.log(test: "settingsByHTTP", checks: 8)
            }
        }
    }
}
