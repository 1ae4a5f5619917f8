// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// G-47: callers beyond the box come by TLS, and have to show who they are. A connection to an address of the machine
    /// that is not loopback comes from that address, as from elsewhere.
    @Suite(.enabled(if: Peer.hasNamespaces && Peer.curl.isThere)) struct SecureAccessTests {
        private static let addresses = ["192.0.2.7", "2001:db8::7"]
        private static let json = ["-H", "Content-Type: application/json"]
        private static let webSocket = [
            "--http1.1", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13",
            "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]

        private func withBox(
            _ settings: JSONValue = [:], _ body: (BoxProcess, TestVenue, _ port: Int64) async throws -> Void
        ) async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                for (address, length) in zip(Self.addresses, ["32", "128"]) {
                    try await venue.succeed([
                        Peer.ip.path, "address", "add", "\(address)/\(length)", "dev", "lo",
                    ])
                }
                let http: JSONValue = [
                    "tls": true, "tlsPort": 0, "listen": .array(Self.addresses.map { .string($0) }),
                ]
                let box = try await BoxProcess((["http": http] as JSONValue).merging(patch: settings), in: venue)
                guard let port = try await box.answer("status")["httpsPort"]?.integer else {
                    throw VenueError("no HTTP by TLS: \(box.process.messages)")
                }
                try await body(box, venue, port)
            }
        }

        /// The code of the answer; 0 if there is none.
        private func code(_ venue: TestVenue, _ words: [String]) async throws -> Int {
            let child = try await venue.run(
                ["curl", "-sSk", "-m", "3", "-g", "-o", "/dev/null", "-w", "%{http_code}"] + words)
            return Int(child.outputText) ?? 0
        }

        private static func url(_ address: String, _ port: Int64) -> String {
            address.contains(":") ? "https://[\(address)]:\(port)" : "https://\(address):\(port)"
        }

        @Test func whoShowsNothingIsRefused() async throws {
            try await withBox { box, venue, port in
                for address in Self.addresses {
                    let url = Self.url(address, port)
                    for path in ["/v1/version", "/v1/status", "/metrics", "/v1/picture", "/v1/config"] {
                        #expect(try await code(venue, [url + path]) == 401, "\(url)\(path)")
                    }
                    #expect(try await code(venue, Self.json + ["-d", #"{"volume":30}"#, "\(url)/v1/volume"]) == 401)
                    #expect(try await code(venue, Self.webSocket + ["\(url)/v1/events"]) == 401)
                    #expect(try await code(venue, ["-H", "Authorization: Bearer tl-x", "\(url)/v1/status"]) == 401)
                    // The page, to log in with, and nobody's name for the box but its own.
                    #expect(try await code(venue, ["\(url)/"]) == 200)
                    #expect(try await code(venue, ["-H", "Host: evil.example", "\(url)/"]) == 403)
                }
                // Without TLS the box is on loopback alone.
                let plain = try await box.answer("status")["httpPort"]?.integer ?? 0
                #expect(try await code(venue, ["http://192.0.2.7:\(plain)/"]) == 0)
                #expect(try await code(venue, ["http://127.0.0.1:\(plain)/v1/status"]) == 200)
                #expect(try await code(venue, ["https://127.0.0.1:\(port)/v1/status"]) == 200)
                try Peer.curl.log(test: #function, checks: 23)
            }
        }

        @Test func whoShowsATokenHasItsRole() async throws {
            try await withBox { box, venue, port in
                let made = try await box.answer("token-create", "tablet", "--role", "operator")
                let bearer = ["-H", "Authorization: Bearer \(made["token"]?.string ?? "")"]
                for address in Self.addresses {
                    let url = Self.url(address, port)
                    #expect(try await code(venue, bearer + ["\(url)/v1/status"]) == 200)
                    let volume = Self.json + ["-d", #"{"volume":30}"#, "\(url)/v1/volume"]
                    #expect(try await code(venue, bearer + volume) == 200)
                    #expect(try await code(venue, bearer + ["-X", "POST", "\(url)/v1/shutdown"]) == 403)
                    #expect(try await code(venue, bearer + Self.webSocket + ["\(url)/v1/events"]) == 101)
                }
                let entries = try await box.answer("audit")["entries"]?.array ?? []
                #expect(entries.contains { $0["name"] == "tablet" && $0["address"] == "192.0.2.7" })
                try Peer.curl.log(test: #function, checks: 9)
            }
        }

        /// From elsewhere, with the code that the box shows beside its certificate's fingerprint.
        @Test func aBoxIsClaimedFromElsewhere() async throws {
            try await withBox { box, venue, port in
                let opened = try await box.answer("claim-open")
                #expect(try await box.answer("status")["fingerprint"] == opened["fingerprint"])
                let claim = #"{"code":"\#(opened["code"]?.string ?? "")","name":"anna"}"#
                let words = Self.json + ["-H", #"Idempotency-Key: "k""#, "-d", claim]
                let url = Self.url(Self.addresses[0], port) + "/v1/claim"
                let made = try await venue.succeed(["curl", "-sSk", "-m", "5"] + words + [url])
                #expect(try JSONValue.parse(Array(made.output))["role"] == "administrator")
                // It is told once, whatever the key.
                let again = try await venue.succeed(["curl", "-sSk", "-m", "5"] + words + [url])
                #expect(!again.outputText.contains("tl-"))
                #expect(try await code(venue, words + [url]) == 409)
                try Peer.curl.log(test: #function, checks: 4)
            }
        }

        /// With a role for who shows nothing, it may look and no more.
        @Test func anonymousViewersLook() async throws {
            try await withBox(["access": ["anonymousRole": "viewer"]]) { _, venue, port in
                for address in Self.addresses {
                    let url = Self.url(address, port)
                    #expect(try await code(venue, ["\(url)/v1/status"]) == 200)
                    #expect(try await code(venue, Self.webSocket + ["\(url)/v1/events"]) == 101)
                    #expect(try await code(venue, Self.json + ["-d", #"{"volume":30}"#, "\(url)/v1/volume"]) == 401)
                }
                try Peer.curl.log(test: #function, checks: 6)
            }
        }
    }
}
