// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// 200 announced channels as the client lists and tunes them, one sender for all of them (SVM-42). The page's list is
    /// `PageTests`'.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct ManyChannelsTests {
        private static let width = 640

        /// Pixels of the accent's colour where the list is: of the selected row.
        private func accents(_ pixels: Data) -> Int {
            guard pixels.count >= Self.width * 360 * 3 else { return -1 }
            var count = 0
            for y in 18..<342 {
                for x in 32..<288 {
                    let place = (y * Self.width + x) * 3
                    let (red, green, blue) = (pixels[place], pixels[place + 1], pixels[place + 2])
                    if (84...100).contains(red), (165...181).contains(green), blue > 247 { count += 1 }
                }
            }
            return count
        }

        private func plays(_ name: String, _ box: BoxProcess) async throws -> Bool {
            try await eventually(within: .seconds(10)) {
                let status = try box.ask("status")
                return status["channel"] == .string(name) && status["isPlaying"] == true
            }
        }

        @Test func theClientListsAndTunesThem() async throws {
            try await TestVenue.open { venue in
                let (heard, target) = (Group(), StreamTarget())
                try await LiveCounter.start(to: target, in: venue)
                let box = try await BoxProcess(
                    [
                        "announcements": ["groups": [heard.json]], "screenText": ["enabled": true, "bannerMs": 0],
                        "channelList": ["closeMs": 300_000, "digitMs": 10_000],
                    ], in: venue)
                try await ChannelCrowd(heard, of: target.group).announceAll(to: box)
                let names = (1...ChannelCrowd.count).map { ChannelCrowd.name($0) }
                let listed = try await box.run("channels", "--names").outputText
                #expect(listed.split(separator: "\n").map(String.init) == names)

                // By number.
                for digit in ["1", "5"] { #expect(try await box.answer("digit", digit)["isTuned"] == false) }
                let typed = try await box.answer("digit", "0")
                #expect(typed["isTuned"] == true && typed["channel"] == "Channel 150")
                #expect(try await plays("Channel 150", box))
                // By name.
                try await box.tune("Channel 42")
                // From the list on the screen.
                let bare = accents(try await box.pixels(in: venue))
                #expect((0..<500).contains(bare), "\(bare)")
                let shown = try await box.answer("list", "show")
                #expect(shown["count"] == 200 && shown["place"] == 42 && shown["channel"] == "Channel 42")
                let isDrawn = try await eventually(within: .seconds(10)) {
                    accents(try await box.pixels(in: venue)) > 2_500
                }
                #expect(isDrawn)
                #expect(try await box.answer("list", "down")["channel"] == "Channel 43")
                #expect(try await box.answer("list", "tune")["channel"] == "Channel 43")
                #expect(try await plays("Channel 43", box))
                let isGone = try await eventually(within: .seconds(10)) {
                    (0..<500).contains(accents(try await box.pixels(in: venue)))
                }
                #expect(isGone)
                #expect(try await box.counters("/screenText/drawErrors", "/lineUp/channelsAdded") == [0, 200])
                try Peer.ffmpeg.log(test: #function, checks: 12)
            }
        }
    }
}
