// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Programmes of a multiplex that others made, tuned by the names that its SDT gives them.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct ProgrammeTests {
        /// Waits for a picture whose number is one of these.
        private func shows(
            _ numbers: Range<Int>, on box: BoxProcess, in venue: TestVenue, within limit: Duration = .seconds(8)
        ) async throws -> Bool {
            try await eventually(within: limit) {
                CountedVideo.number(in: try await box.pixels(in: venue)).map(numbers.contains) ?? false
            }
        }

        private func names(of channel: String, on box: BoxProcess) async throws -> [String] {
            try await box.answer("programs", channel)["programs"]?.array?.compactMap { $0["name"]?.string } ?? []
        }

        @Test func theSecondIsTunedByItsName() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget(name: "Mux", encapsulation: .raw)
                let sender = try TwoProgrammes.start(to: target, in: venue)
                let box = try await BoxProcess(
                    [
                        "channels": [
                            target.json,
                            target.json.merging(patch: ["name": "Other", "program": "BBC TWO"]),
                        ]
                    ], in: venue)
                let (first, second) = (0..<TwoProgrammes.secondNumber, TwoProgrammes.secondNumber..<(1 << 14))
                let unknown = try await box.run("tune", "BBC TWO")
                #expect(try await unknown.exitCode(within: .zero) == 1, "nothing is known of it yet")
                try await box.tune("Mux")
                #expect(try await shows(first, on: box, in: venue))
                let areListed = try await eventually(within: .seconds(5)) {
                    try await names(of: "Mux", on: box) == TwoProgrammes.names
                }
                #expect(areListed)
                let table = try await box.run("programs").outputText
                #expect(table.contains("102") && table.contains("BBC TWO") && table.contains("FFmpeg"), "\(table)")

                let joined = try await box.counter("/reception/datagrams")
                #expect(try await box.answer("tune", "BBC TWO")["channel"] == "Mux")
                #expect(try await shows(second, on: box, in: venue))
                #expect(try await box.answer("status")["program"] == "BBC TWO")
                let received = try await box.counter("/reception/datagrams")
                #expect(received > joined, "received anew")
                #expect(try await box.answer("tune", "Mux", "--program", "101")["channel"] == "Mux")
                #expect(try await shows(first, on: box, in: venue))

                // The settings name it before anything was received of it by that channel.
                #expect(try await box.answer("tune", "Other")["channel"] == "Other")
                #expect(try await shows(second, on: box, in: venue))

                // The head-end renames its programmes and drops that name: told in words, with what there is.
                try await sender.end()
                try TwoProgrammes.start(["News", "Sport"], to: target, in: venue)
                _ = try await box.answer("stop")
                _ = try await box.answer("tune", "Mux")
                #expect(try await shows(first, on: box, in: venue))
                _ = try await box.answer("tune", "Other")
                let isTold = try await eventually(within: .seconds(15)) {
                    try await box.answer("status")["noPictureBecause"]
                        == "its transport stream has no program 'BBC TWO'; it has 101 News, 102 Sport"
                }
                #expect(isTold)
                try Peer.ffmpeg.log(test: #function, checks: 9)
            }
        }

        /// DVBlast takes one programme out of the multiplex, and its name comes along.
        @Test(.enabled(if: Peer.dvblast.isThere && Peer.hasNamespaces))
        func dvblastSendsOne() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let (mux, one) = (StreamTarget(name: "Mux", encapsulation: .raw), StreamTarget(name: "One"))
                try TwoProgrammes.start(to: mux, in: venue)
                _ = try TwoProgrammes.startDVBlast(sending: 102, of: mux, to: one, in: venue)
                let box = try await BoxProcess(["channels": [mux.json, one.json]], in: venue)
                let second = TwoProgrammes.secondNumber..<(1 << 14)
                try await box.tune("One")
                #expect(try await shows(second, on: box, in: venue))
                let isListed = try await eventually(within: .seconds(5)) {
                    try await names(of: "One", on: box) == ["BBC TWO"]
                }
                #expect(isListed)
                #expect(try await box.answer("status")["program"] == "BBC TWO")
                try Peer.dvblast.log(test: #function, checks: 3)
            }
        }
    }
}
