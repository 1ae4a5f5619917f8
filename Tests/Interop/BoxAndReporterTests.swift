// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Both ends are ours, each as it is run.
    @Suite(.enabled(if: Peer.curl.isThere)) struct BoxAndReporterTests {
        /// A box reports each second. The reporter is killed, and away for a while; everything is there in the end, and once.
        @Test func nothingIsLostBetweenThem() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = ReporterScene(venue)
                try await scene.start()
                let settings: JSONValue = [
                    "http": ["isEnabled": false], "box": ["name": "Bar, above the counter"],
                    "reports": [
                        "url": .string("\(scene.url)/v1/boxes/{box}/reports"), "token": .string(ReporterScene.boxToken),
                        "intervalS": 1,
                    ],
                ]
                let box = try await BoxProcess(settings, state: venue.directory.file("state"), in: venue)
                let socket = try ControlSocket(box.socket)
                let id = try socket.ask("status").result["boxId"]?.string ?? ""
                func status() throws -> JSONValue { try socket.ask("reports").result }
                func awaitMore() async throws {
                    let before = try status()["acknowledged"]?.integer ?? 0
                    let hasMore = try await eventually(within: .seconds(30)) {
                        try status()["acknowledged"]?.integer ?? 0 > before + 1
                    }
                    let now = try status()
                    #expect(hasMore, "\(now.text())")
                }
                for _ in 0..<3 {
                    try await awaitMore()
                    try await scene.kill()
                    try await Task.sleep(for: .milliseconds(1_500))
                    try await scene.start()
                }
                try await awaitMore()
                let isDone = try await eventually(within: .seconds(30)) { try status()["pending"] == 0 }
                let told = try status()
                #expect(isDone && told["lost"] == 0 && told["refused"] == 0, "\(told.text())")
                let gaps = try await scene.curl("boxes/\(id)/gaps").document
                #expect(
                    gaps.at("/starts/0/boot") == told["boot"] && gaps.at("/starts/0/missing") == 0, "\(gaps.text())")
                #expect(gaps.at("/starts/0/last")?.integer ?? 0 >= told["acknowledged"]?.integer ?? .max)
                // The kernel of a container may not say that its clock is set.
                let latest = try await scene.curl("boxes/\(id)").document["latest"]
                #expect(
                    latest?["name"] == "Bar, above the counter" && latest?["clock"] != "wrong",
                    "\(latest?.text() ?? "")")
                try venue.directory.write("", to: "acknowledged")
                let found = try await scene.check()
                #expect(found["doubled"] == 0 && found["wrong"] == 0 && found["ledgerDiffers"] == 0, "\(found.text())")
            }
        }
    }
}
