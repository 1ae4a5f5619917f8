// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// HTTP by TLS, as clients meet it that know nothing of us.
    @Suite struct SecureEndpointTests {
        private func withBox(
            _ settings: JSONValue = [:], through entry: [String] = [], ownNetwork: Bool = false,
            _ body: (BoxProcess, TestVenue, Int64) async throws -> Void
        ) async throws {
            try await TestVenue.open(ownNetwork: ownNetwork) { venue in
                let http = (["tls": true, "tlsPort": 0] as JSONValue).merging(patch: settings)
                let box = try await BoxProcess(["http": http], through: entry, in: venue)
                guard let port = try await box.answer("status")["httpsPort"]?.integer else {
                    throw VenueError("no HTTP by TLS: \(box.process.messages)")
                }
                try await body(box, venue, port)
            }
        }

        private func ask(
            _ venue: TestVenue, _ words: String..., within limit: Duration = .seconds(60)
        ) async throws -> JSONValue {
            let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("secure_peer.py").path
            let child = try await venue.succeed([Peer.websockets.path, program] + words, within: limit)
            return try JSONValue.parse(Array(child.output))
        }

        /// TLS 1.2 with forward secrecy and authenticated ciphers, and 1.3; nothing older, and no HTTP/2.
        @Test(.enabled(if: Peer.websockets.isThere)) func versionsAndCiphers() async throws {
            try await withBox { box, venue, port in
                let made = try await ask(venue, "versions", "\(port)")
                for old in [
                    "TLSv1", "TLSv1_1", "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA",
                ] {
                    #expect(made[old] == .null, "\(old)")
                }
                #expect(made["TLSv1_2"]?.string?.hasPrefix("ECDHE-ECDSA-") == true, "\(made)")
                #expect(made["TLSv1_3"]?.string?.hasPrefix("TLS_") == true && made["alpn"] == "http/1.1", "\(made)")
                let told = try await box.answer("status")["fingerprint"]?.string ?? ""
                #expect(told.replacingOccurrences(of: ":", with: "") == made["fingerprint"]?.string)
                try Peer.websockets.log(test: "versionsAndCiphers", checks: 9)
            }
        }

        /// Issue 21, show 4: a public tool finds nothing to say.
        @Test(.enabled(if: Peer.sslscan.isThere)) func sslscanFindsNothing() async throws {
            try await withBox { box, venue, port in
                let child = try await venue.succeed(
                    [Peer.sslscan.path, "--no-colour", "--show-certificate", "127.0.0.1:\(port)"], within: .seconds(120)
                )
                let text = child.outputText
                for line in ["SSLv2     disabled", "SSLv3     disabled", "TLSv1.0   disabled", "TLSv1.1   disabled"] {
                    #expect(text.contains(line), "\(line)\n\(text)")
                }
                for line in ["TLSv1.2   enabled", "TLSv1.3   enabled", "not vulnerable to heartbleed"] {
                    #expect(text.contains(line), "\(line)\n\(text)")
                }
                #expect(text.contains("Session renegotiation not supported"), "\(text)")
                // One that was built without zlib cannot ask for compression.
                #expect(!text.contains("Compression enabled"), "\(text)")
                let accepted = text.split(separator: "\n").filter {
                    $0.hasPrefix("Accepted") || $0.hasPrefix("Preferred")
                }
                #expect(accepted.count >= 5)
                for cipher in accepted {
                    let isGood = cipher.contains("ECDHE-ECDSA-") && !cipher.contains("SHA ") || cipher.contains("TLS_")
                    #expect(isGood && !cipher.contains("CBC") && !cipher.contains("RC4"), "\(cipher)")
                }
                #expect(
                    text.contains("ecdsa-with-SHA256") && text.contains("Not valid before: Jan  1 00:00:00 1970 GMT"))
                try Peer.sslscan.log(test: "sslscanFindsNothing", checks: accepted.count + 9)
            }
        }

        /// The box's own certificate stays over a restart, and pins; another pin is refused.
        @Test(.enabled(if: Peer.curl.isThere)) func pinnedByCurl() async throws {
            try await TestVenue.open { venue in
                let state = venue.directory.file("state")
                var pins: Set<String> = []
                for _ in 0..<2 {
                    let box = try await BoxProcess(["http": ["tls": true, "tlsPort": 0]], state: state, in: venue)
                    let status = try await box.answer("http-status")
                    let pin = status["publicKeyPin"]?.string ?? ""
                    pins.insert(pin)
                    let port = try await box.answer("status")["httpsPort"]?.integer ?? 0
                    let url = "https://127.0.0.1:\(port)/v1/version"
                    _ = try await venue.succeed(["curl", "-sSfk", "-m", "10", "--pinnedpubkey", pin, url])
                    let other = "sha256//\(Data(repeating: 7, count: 32).base64EncodedString())"
                    let refused = try await venue.run(["curl", "-sSk", "-m", "10", "--pinnedpubkey", other, url])
                    #expect(try await refused.exitCode(within: .zero) == 90, "\(refused.messages)")
                    // Without a pin and without an authority nobody trusts it.
                    let unknown = try await venue.run(["curl", "-sS", "-m", "10", url])
                    #expect(try await unknown.exitCode(within: .zero) == 60, "\(unknown.messages)")
                    try await box.process.end()
                }
                #expect(pins.count == 1)
                try Peer.curl.log(test: "pinnedByCurl", checks: 6)
            }
        }

        /// One's own certificate with its authority, by settings while the box runs, and what is wrong with it. One of RSA
        /// takes the place of the box's own of P-256, too: OpenSSL would keep both, and go on showing the old one.
        @Test(
            .enabled(if: Peer.openssl.isThere),
            arguments: [["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["rsa:2048"]]
        ) func theirOwnCertificate(kind: [String]) async throws {
            try await withBox { box, venue, port in
                let file = { venue.directory.file($0) }
                func openssl(_ words: [String]) async throws {
                    _ = try await venue.succeed([Peer.openssl.path] + words)
                }
                try await openssl([
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", file("ca.key"), "-out", file("ca.pem"),
                    "-subj", "/CN=Authority", "-days", "30",
                ])
                try await openssl(
                    ["req", "-newkey"] + kind + [
                        "-nodes", "-keyout", file("box.key"), "-out", file("box.csr"), "-subj", "/CN=box.example",
                        "-addext", "subjectAltName=DNS:box.example",
                    ])
                try await openssl([
                    "x509", "-req", "-in", file("box.csr"), "-CA", file("ca.pem"), "-CAkey", file("ca.key"),
                    "-copy_extensions", "copy", "-days", "30", "-out", file("box.pem"),
                ])
                let text = { try String(contentsOfFile: file($0), encoding: .utf8) }
                func merge(_ http: JSONValue) async throws -> ChildProcess {
                    let patch = try venue.directory.write((["http": http] as JSONValue).text(), to: "patch.json")
                    return try await box.run("config", "merge", patch, "--json")
                }
                let mixed = try await merge([
                    "certificate": .string(try text("box.pem")), "key": .string(try text("ca.key")),
                ])
                #expect(try await mixed.exitCode(within: .zero) == 78)
                #expect(
                    mixed.messages.contains("/http/key: expected the private key of the first"), "\(mixed.messages)")
                #expect(!mixed.messages.contains("BEGIN"))
                let good = try await merge([
                    "certificate": .string(try text("box.pem") + text("ca.pem")), "key": .string(try text("box.key")),
                    "names": ["box.example"],
                ])
                #expect(try await good.exitCode(within: .zero) == 0, "\(good.messages)")
                _ = try await venue.succeed([
                    "curl", "-sSf", "-m", "10", "--cacert", file("ca.pem"), "--resolve",
                    "box.example:\(port):127.0.0.1",
                    "https://box.example:\(port)/v1/version",
                ])
                let status = try await box.answer("http-status")
                #expect(status["isOwn"] == false)
                let shown = try await box.answer("config", "http")
                #expect(!shown.text().contains("PRIVATE"))
                try Peer.openssl.log(test: "theirOwnCertificate", checks: 6)
            }
        }

        /// Who never ends a handshake, a head or a body holds nobody else up, and is ended.
        @Test(.enabled(if: Peer.websockets.isThere)) func hostileConnectionsAreEnded() async throws {
            try await withBox { box, venue, port in
                let result = try await ask(venue, "hostile", "\(port)", "60", within: .seconds(130))
                #expect(result["served"] == [200, 200, 200], "\(result)")
                #expect(result["left"] == 0, "\(result)")
                for (kind, limit) in [("handshake", 25.0), ("head", 40.0), ("body", 75.0)] {
                    let seconds = result["ended"]?[kind].flatMap { $0.number ?? $0.integer.map(Double.init) }
                    #expect((seconds ?? 1_000) < limit, "\(kind): \(result)")
                }
                try Peer.websockets.log(test: "hostileConnectionsAreEnded", checks: 5)
            }
        }

        @Test(.enabled(if: Peer.websockets.isThere)) func theLimitOfConnectionsIsTold() async throws {
            try await withBox(["connections": 40]) { box, venue, port in
                let result = try await ask(venue, "surplus", "\(port)", "40")
                #expect(result["open"] == 40 && result["codes"] == [503, 503, 503, 503], "\(result)")
                #expect(result["after"] == 200)
                try Peer.websockets.log(test: "theLimitOfConnectionsIsTold", checks: 3)
            }
        }

        @Test(.enabled(if: Peer.websockets.isThere)) func aRepeatedRequestActsOnce() async throws {
            try await withBox { box, venue, port in
                let result = try await ask(venue, "repeated", "\(port)")
                #expect(result.at("/again/0") == 200 && result.at("/again/1/volume") == 33, "\(result)")
                #expect(result["after"] == 60, "it acted again: \(result)")
                #expect(result["other"] == 422 && result["wrong"] == 400, "\(result)")
                try Peer.websockets.log(test: "aRepeatedRequestActsOnce", checks: 4)
            }
        }

        @Test(.enabled(if: Peer.websockets.isThere)) func eventsResumeByTLS() async throws {
            try await withBox { box, venue, port in
                let result = try await ask(venue, "resumed", "\(port)", "200")
                #expect(result["whole"] == true && result["resumed"] == true, "\(result)")
                #expect(result["otherRun"] == false && result["times"] == 40)
                try Peer.websockets.log(test: "eventsResumeByTLS", checks: 4)
            }
        }
    }
}
