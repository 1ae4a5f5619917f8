// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// G-12: `touchline diagnose` as a technician meets it, with the service as a process of its own.
    @Suite struct DiagnosisTests {
        private static let settings: JSONValue = ["channels": [Group().json.merging(patch: ["name": "One"])]]

        private func expect(
            _ box: BoxProcess, blamed link: JSONValue, by observer: JSONValue = "client", says part: String
        ) async throws {
            let answer = try await box.answer("diagnose")
            #expect(answer["blamed"] == link && answer["observer"] == observer, "\(answer.text())")
            #expect(answer["sentence"]?.string?.contains(part) == true, "\(answer.text())")
            #expect(answer["links"]?.array?.count == 16)
        }

        /// The service hangs, and then it is gone. Each time the client answers by itself.
        @Test func theServiceDoesNotAnswer() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess(Self.settings, in: venue)
                try await expect(box, blamed: .null, by: "service", says: "nothing is tuned")
                box.process.signal(SIGSTOP)
                let hanging = try await venue.run(
                    [try Programs.path("touchline"), "--socket", box.socket, "diagnose"], within: .seconds(20))
                box.process.signal(SIGCONT)
                #expect(try await hanging.exitCode(within: .zero) == 0, "\(hanging.messages)")
                #expect(hanging.outputText.contains("touchlined hangs"), "\(hanging.outputText)")
                #expect(hanging.outputText.split(separator: "\n").allSatisfy { $0.count <= 80 })
                try await expect(box, blamed: .null, by: "service", says: "nothing is tuned")
                box.process.signal(SIGKILL)
                _ = try await box.process.exitCode(within: .seconds(5))
                try await expect(box, blamed: "service", says: "touchlined is not running")
            }
        }

        /// A user who is not of the group is told so, and does not go looking at the network.
        @Test(.enabled(if: getuid() == 0, "SKIP: another user's rights need root"))
        func theServiceRefusesTheUser() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess(Self.settings, in: venue)
                let client = try Programs.path("touchline")
                // Everybody may come as far as the socket, and nobody but its group to it.
                chmod(URL(fileURLWithPath: box.socket).deletingLastPathComponent().path, 0o755)
                chmod(box.socket, 0o660)
                let refused = try await venue.run([
                    "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", client, "--socket", box.socket,
                    "diagnose", "--json",
                ])
                let answer = try JSONValue.parse(Array(refused.output))
                #expect(answer["blamed"] == "service", "\(answer.text()) \(refused.messages)")
                #expect(answer["sentence"]?.string?.contains("does not admit this user") == true)
            }
        }
    }
}
