// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Orders that boxes fetch by themselves (SVM-21): from our reporter, driven by curl and behind nginx's TLS, and from nginx
    /// as a server of files.
    @Suite(.enabled(if: Peer.curl.isThere && Peer.nginx.isThere && OpenSSLPeer.isThere)) struct ReporterTests {
        private static let boxToken = "box-token-0123456789abcdef"
        private static let operatorToken = "operator-token-0123456789"

        /// A reporter, a key that signs, and boxes that know it.
        private final class Scene {
            let venue: TestVenue
            let port = Int.random(in: 20_000...29_999)
            private(set) var boxes: [(process: BoxProcess, socket: ControlSocket, id: String)] = []
            private let publicKey: String
            private var revision: Int64 = 0
            private var reporter: ChildProcess?

            init(_ venue: TestVenue) throws {
                self.venue = venue
                let keys = try OpenSSLPeer.makeKeys()
                try venue.directory.write(keys.private, to: "key.pem")
                publicKey = keys.public.split(separator: "\n")[1].description
            }

            func startReporter() async throws {
                let configuration: JSONValue = [
                    "port": .integer(Int64(port)), "database": .string(venue.directory.file("reporter.db")),
                    "boxToken": .string(boxToken), "operatorToken": .string(operatorToken),
                ]
                let path = try venue.directory.write(configuration.text(), to: "reporter.json")
                reporter = try venue.start(
                    [try Programs.path("touchline-reporter"), "--config", path], name: "reporter")
                let isThere = try await eventually(within: .seconds(5)) { try await curl("boxes").code == 200 }
                if !isThere { throw VenueError("the reporter does not answer: \(reporter?.messages ?? "")") }
            }

            func killReporter() { reporter?.signal(SIGKILL) }

            func addBox(_ url: String, report: Bool = true, _ pull: JSONValue = [:]) async throws {
                var settings: JSONValue = [
                    "url": .string("\(url)/v1/boxes/{box}/order"), "token": .string(boxToken), "waitS": 5,
                ]
                if report { settings = settings.merging(patch: ["report": .string("\(url)/v1/boxes/{box}/report")]) }
                let box = try await BoxProcess(
                    [
                        "http": ["isEnabled": false], "confirmation": ["steadyS": 1, "withinS": 10],
                        "push": [
                            "keys": [["id": "a", "publicKey": .string(publicKey), "targets": ["all"]]], "group": "bar",
                            "pull": settings.merging(patch: pull),
                        ],
                    ], in: venue)
                let socket = try ControlSocket(box.socket)
                boxes.append((box, socket, try socket.ask("status").result["boxId"]?.string ?? ""))
            }

            func curl(_ path: String, _ words: String...) async throws -> (code: Int, document: JSONValue) {
                let command = [
                    "curl", "-s", "-w", "\n%{http_code}", "-H", "Authorization: Bearer \(operatorToken)",
                    "http://127.0.0.1:\(port)/v1/\(path)",
                ]
                let lines = try await venue.run(command + words).outputText.split(
                    separator: "\n", omittingEmptySubsequences: false)
                let text = lines.dropLast().joined(separator: "\n")
                return (Int(lines.last ?? "") ?? 0, (try? JSONValue.parse(text)) ?? .null)
            }

            /// An envelope of an order for all boxes, which `touchline config sign` makes.
            func order(_ patch: JSONValue) async throws -> JSONValue {
                revision += 1
                let path = try venue.directory.write(patch.text(), to: "patch.json")
                let child = try await venue.succeed([
                    try Programs.path("touchline"), "config", "sign", "--key", venue.directory.file("key.pem"),
                    "--key-id",
                    "a", "--all", "--revision", "\(revision)", "--expires", "2099-01-01T00:00:00Z", path,
                ])
                return try JSONValue.parse(child.outputText)
            }

            func rollOut(_ patch: JSONValue, _ terms: JSONValue = [:]) async throws -> (code: Int, document: JSONValue)
            {
                let document: JSONValue = ["envelope": try await order(patch)]
                let path = try venue.directory.write(document.merging(patch: terms).text(), to: "rollout.json")
                return try await curl("rollouts", "--data-binary", "@\(path)", "-H", "Content-Type: application/json")
            }

            func volumes() throws -> [Int64?] {
                try boxes.map { try $0.socket.ask("config", ["path": "sound.volume"]).result["config"]?.integer }
            }

            func newestRollout() async throws -> JSONValue {
                try await curl("rollouts").document["rollouts"]?.array?.last ?? .null
            }

            func awaitRollout(_ state: String, within limit: Duration = .seconds(20)) async throws -> JSONValue {
                let isThere = try await eventually(within: limit) {
                    try await newestRollout()["state"]?.string == state
                }
                let rollout = try await newestRollout()
                if !isThere { throw VenueError("not \(state): \(rollout.text())") }
                return rollout
            }

            func drifts() async throws -> [String] {
                try await curl("boxes").document["boxes"]?.array?.compactMap { $0["drift"]?.string } ?? []
            }
        }

        @Test func ordersGoOutInWavesAndStopByThemselves() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try Scene(venue)
                try await scene.startReporter()
                let url = "http://127.0.0.1:\(scene.port)"
                for _ in 0..<4 { try await scene.addBox(url) }
                let isHeard = try await eventually(within: .seconds(10)) { try await scene.drifts().count == 4 }
                #expect(isHeard)
                #expect(try await scene.drifts() == Array(repeating: "free", count: 4))

                // One box, then half of them, then all.
                let begun = try await scene.rollOut(["sound": ["volume": 61]], ["waves": [1, "50%"]])
                #expect(begun.code == 201, "\(begun)")
                let done = try await scene.awaitRollout("done")
                #expect(done["done"] == 4 && done["failed"] == 0 && done["wave"] == 3)
                #expect(try scene.volumes() == [61, 61, 61, 61])
                #expect(try await scene.drifts() == ["none", "none", "none", "none"])

                // An order that no box takes: the settings refuse it. It goes no further than the first wave.
                _ = try await scene.rollOut(["sound": ["volume": 6_100]], ["waves": [1]])
                let stopped = try await scene.awaitRollout("stopped")
                #expect(stopped["failed"] == 1 && stopped["wave"] == 1, "\(stopped.text())")
                #expect(try await scene.drifts().sorted() == ["failed", "none", "none", "none"])

                // One that costs the network is taken back, and the roll-out ends there.
                _ = try await scene.rollOut(["network": ["interface": "nowhere0"]], ["waves": [1], "patienceS": 60])
                let back = try await scene.awaitRollout("stopped", within: .seconds(40))
                #expect(back["failed"] == 1 && back["wave"] == 1, "\(back.text())")
                #expect(
                    try scene.boxes.map { try $0.socket.ask("config", ["path": "network.interface"]).result["config"] }
                        == Array(repeating: "lo", count: 4))

                // The reporter is killed; what it answered it knows.
                scene.killReporter()
                try await Task.sleep(for: .milliseconds(300))
                try await scene.startReporter()
                #expect(try await scene.newestRollout() == back)
                _ = try await scene.rollOut(["sound": ["volume": 62]], ["waves": ["25%"]])
                _ = try await scene.awaitRollout("done", within: .seconds(30))
                #expect(try scene.volumes() == [62, 62, 62, 62])

                // Somebody changes one of them at the box.
                _ = try scene.boxes[0].socket.ask("config-merge", ["settings": ["sound": ["volume": 10]]])
                let isSeen = try await eventually(within: .seconds(10)) { try await scene.drifts().contains("changed") }
                #expect(isSeen)
                try Peer.curl.log(test: "rollouts", checks: 12)
            }
        }

        /// nginx serves an order as a file, and another one in its place; then a login page, and nothing at all.
        @Test func aServerOfFilesWillDo() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try Scene(venue)
                let root = venue.directory.file("www")
                try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
                let server = try await Nginx(port: scene.port, serving: root, in: venue)
                try await scene.addBox(
                    "http://127.0.0.1:\(scene.port)", report: false,
                    [
                        "url": .string("http://127.0.0.1:\(scene.port)/order.json")
                    ])
                for volume in [31, 32] as [Int64] {
                    let order = try await scene.order(["sound": ["volume": .integer(volume)]])
                    try venue.directory.write(order.text(), to: "www/order.json")
                    // nginx's entity tag is the length and the second of the last change, which two orders may share.
                    let changed = Date(timeIntervalSinceNow: Double(volume))
                    try FileManager.default.setAttributes(
                        [.modificationDate: changed], ofItemAtPath: root + "/order.json")
                    let isThere = try await eventually(within: .seconds(15)) { try scene.volumes() == [volume] }
                    #expect(isThere, "\(volume)")
                }
                try venue.directory.write("<html>Please log in.</html>", to: "www/order.json")
                let isRefused = try await eventually(within: .seconds(15)) {
                    try scene.boxes[0].socket.ask("push-status").result.at("/lastRefusal/reason") == "malformed"
                }
                #expect(isRefused)
                #expect(try scene.volumes() == [32])
                try await server.end()
                let isTold = try await eventually(within: .seconds(15)) {
                    try scene.boxes[0].socket.ask("push-status").result["serverProblem"] != nil
                }
                #expect(isTold)
                #expect(try scene.volumes() == [32])
                try Peer.nginx.log(test: "files", checks: 4)
            }
        }

        /// nginx has the reporter's TLS. A box that knows its key takes orders; one that expects another key, or an authority
        /// that vouches for it, does not.
        @Test func byTLSWithItsKeyPinned() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try Scene(venue)
                try await scene.startReporter()
                let port = scene.port + 1
                let server = try await Nginx(port: port, before: scene.port, in: venue)
                let url = "https://127.0.0.1:\(port)"
                try await scene.addBox(url, ["pinnedKey": .string(server.pin)])
                let other = "sha256//" + Data(repeating: 7, count: 32).base64EncodedString()
                for pull in [["pinnedKey": .string(other)], [:], ["authorities": .string(server.certificate)]]
                    as [JSONValue]
                {
                    try await scene.addBox(url, pull)
                }
                _ = try await scene.rollOut(["sound": ["volume": 71]])
                let isThere = try await eventually(within: .seconds(15)) {
                    let volumes = try scene.volumes()
                    return volumes[0] == 71 && volumes[3] == 71
                }
                #expect(isThere)
                var problems: [String] = []
                _ = try await eventually(within: .seconds(15)) {
                    problems = try scene.boxes.map {
                        try $0.socket.ask("push-status").result["serverProblem"]?.string ?? ""
                    }
                    return problems.map(\.isEmpty) == [true, false, false, true]
                }
                #expect(problems.map(\.isEmpty) == [true, false, false, true], "\(problems)")
                let volumes = try scene.volumes()
                #expect(volumes.map { $0 == 71 } == [true, false, false, true], "\(volumes)")
                try Peer.nginx.log(test: "TLS", checks: 4)
            }
        }
    }
}

/// nginx, which serves files or stands before another server with TLS.
private final class Nginx {
    private let process: ChildProcess
    /// Of its key, as curl has it.
    private(set) var pin = ""
    private(set) var certificate = ""

    /// Serves the files of a directory.
    convenience init(port: Int, serving root: String, in venue: TestVenue) async throws {
        try await self.init("listen 127.0.0.1:\(port); root \(root);", port, in: venue)
    }

    /// Stands before the server at another port.
    convenience init(port: Int, before other: Int, in venue: TestVenue) async throws {
        let (key, certificate) = (venue.directory.file("tls.key"), venue.directory.file("tls.pem"))
        try await venue.succeed([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "30",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ])
        let digest = try await venue.succeed([
            "sh", "-c",
            """
            openssl x509 -in \(certificate) -pubkey -noout | openssl pkey -pubin -outform DER |
            openssl dgst -sha256 -binary | openssl base64
            """,
        ])
        try await self.init(
            """
            listen 127.0.0.1:\(port) ssl; ssl_certificate \(certificate); ssl_certificate_key \(key);
            location / { proxy_pass http://127.0.0.1:\(other); proxy_read_timeout 60s; }
            """, port, in: venue)
        pin = "sha256//" + digest.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        self.certificate = try String(contentsOfFile: certificate, encoding: .utf8)
    }

    private init(_ server: String, _ port: Int, in venue: TestVenue) async throws {
        let directory = venue.directory.file("nginx-\(port)")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(directory)/\($0);" }
        let path = try venue.directory.write(
            """
            daemon off; master_process off; pid \(directory)/pid; error_log stderr;
            events {}
            http { access_log off; \(paths.joined(separator: " ")) server { \(server) } }
            """, to: "nginx-\(port).conf")
        process = try venue.start([Peer.nginx.path, "-c", path, "-p", directory], name: "nginx")
        let isThere = try await eventually(within: .seconds(5)) {
            try await venue.run(["curl", "-sk", "-o", "/dev/null", "http://127.0.0.1:\(port)/"]).exitCode(within: .zero)
                == 0
        }
        if !isThere { throw VenueError("nginx does not answer: \(process.messages)") }
    }

    func end() async throws { try await process.end() }
}
