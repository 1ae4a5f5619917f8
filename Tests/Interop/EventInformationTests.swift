// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// What is on, from a writer of event information that is not ours to what people read.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct EventInformationTests {
        /// What is written where the banner has its titles, in pixels that are brighter than its panel.
        private struct Titles {
            let now, next: Int

            /// - Parameter pixels: 640 by 360, with units of 4 pixels and a safe area of 5 %. Of a banner with neither, the
            ///   first place is its upper margin.
            init(_ pixels: Data) {
                func ink(_ rows: Range<Int>) -> Int {
                    guard pixels.count == 640 * 360 * 3 else { return -1 }
                    return rows.reduce(0) { sum, y in
                        sum + (44..<150).count { pixels[(y * 640 + $0) * 3 + 1] > 110 }
                    }
                }
                (now, next) = (ink(303..<312), ink(322..<332))
            }
        }

        @Test func nowAndNextAreToldAndKept() async throws {
            guard try EventInformation.isThere else { return }
            try await TestVenue.open { venue in
                let clock = Int(Date().timeIntervalSince1970)
                var events = EventInformation(
                    now: .init(
                        title: "Anpfiff für Zürich", text: "Live aus dem Stadion", start: clock - 600, seconds: 5_400,
                        age: 12),
                    next: .init(title: "試合のあと", start: clock + 4_800, seconds: 1_800))
                let video = try await CountedVideo.make(in: venue)
                let group = Group()
                let sender = try StreamSender(try await events.added(to: video, version: 1, in: venue), to: group)
                defer { sender.end() }
                let box = try await BoxProcess(
                    [
                        "channels": [
                            group.json.merging(patch: ["name": "Pitch", "number": 7]),
                            Group().json.merging(patch: ["name": "Silent"]),
                        ], "screenText": ["enabled": true, "timeZone": "Asia/Kathmandu"],
                    ], in: venue)
                let told = try box.events()
                _ = try await box.answer("osd", "banner", "on")
                try await box.tune("Pitch")
                let event = try await told.next("channels.nowNext", within: .seconds(5)) {
                    $0["now"] != .null && $0["next"] != .null
                }
                #expect(event.at("/payload/channel") == "Pitch")
                #expect(event.at("/payload/now/title") == "Anpfiff für Zürich")
                #expect(event.at("/payload/next/title") == "試合のあと")
                let listed = try #require(try await box.answer("epg")["broadcasts"]?.array)
                #expect(listed.count == 2)
                let now = try #require(listed.first)
                #expect(now["when"] == "now" && now["number"] == 7 && now["text"] == "Live aus dem Stadion")
                #expect(now["minimumAge"] == 12 && now["durationMs"] == 5_400_000 && now["language"] == "deu")
                let format = ISO8601DateFormatter()
                format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
                let start = try #require(now["start"]?.string.flatMap(format.date(from:)))
                #expect(Int(start.timeIntervalSince1970) == clock - 600)
                format.formatOptions = [.withInternetDateTime]
                #expect(now["localStart"]?.string.flatMap(format.date(from:)) == start)
                #expect(now["localStart"]?.string?.hasSuffix("+05:45") == true)
                let isOnBanner = try await eventually(within: .seconds(5)) {
                    let titles = Titles(try await box.pixels(in: venue))
                    return titles.now > 100 && titles.next > 40
                }
                #expect(isOnBanner)
                let table = try await box.run("epg", "7").outputText
                #expect(table.contains("Anpfiff für Zürich") && table.contains(" 90 "), "\(table)")
                #expect(try await box.answer("epg", "Silent") == ["broadcasts": []])
                #expect(try await box.run("epg", "Nowhere").exitCode(within: .zero) == 1)
                let channels = try await box.answer("channels")["channels"]?.array ?? []
                #expect(channels.first?.at("/now/title") == "Anpfiff für Zürich" && channels.last?["now"] == .null)

                // The programme changes under play; what ends soon is forgotten after the channel was left.
                events.now = .init(title: "Kurz", start: clock, seconds: 1)
                events.next = nil
                _ = try await sender.send(try await events.added(to: video, version: 2, in: venue))
                _ = try await told.next("channels.nowNext", within: .seconds(10)) {
                    $0.at("/now/title") == "Kurz" && $0["next"] == .null
                }
                // Over by the clock: the banner says no more of it.
                let isOffBanner = try await eventually(within: .seconds(5)) {
                    let titles = Titles(try await box.pixels(in: venue))
                    return titles.now == 0
                }
                #expect(isOffBanner)
                _ = try await box.answer("stop")
                _ = try await told.next("channels.nowNext", within: .seconds(5)) { $0["now"] == .null }
                #expect(try await box.answer("epg") == ["broadcasts": []])
                try Peer.libdvbpsi.log(test: "nowAndNextAreToldAndKept", checks: 12)
            }
        }

        /// What is written in a code that the box cannot read is left out; it is never shown as something else.
        @Test func titlesInOtherCodes() async throws {
            guard try EventInformation.isThere else { return }
            try await TestVenue.open { venue in
                let clock = Int(Date().timeIntervalSince1970)
                let codes: [(name: String, code: [UInt8], title: String)] = [
                    ("Huffman's of the United Kingdom", [0x1F, 0x01, 0x33, 0x9E], ""),
                    ("KS X 1001", [0x12, 0xB0, 0xA1], ""), ("GB 2312", [0x13, 0xB0, 0xA1], ""),
                    ("Big5", [0x14, 0xA4, 0xA4], ""),
                    ("a line break of ASCII", [0x15] + Array("Größe\nZwei".utf8), "Größe Zwei"),
                ]
                let video = try await CountedVideo.make(in: venue)
                let targets = codes.map { StreamTarget(name: $0.name) }
                let box = try await BoxProcess(["channels": .array(targets.map(\.json))], in: venue)
                for (index, (row, target)) in zip(codes, targets).enumerated() {
                    let events = EventInformation(
                        now: .init(title: "", text: "Live", code: row.code, start: clock - 600, seconds: 5_400))
                    let file = try await events.added(to: video, version: index, in: venue)
                    let sender = try StreamSender(file, to: target.group)
                    defer { sender.end() }
                    try await box.tune(row.name)
                    var listed: [JSONValue] = []
                    let isListed = try await eventually(within: .seconds(5)) {
                        listed = try await box.answer("epg", row.name)["broadcasts"]?.array ?? []
                        return !listed.isEmpty
                    }
                    #expect(isListed && listed.first?["text"] == "Live", "\(row.name)")
                    #expect(listed.first?["title"]?.string ?? "" == row.title, "\(row.name): \(listed)")
                }
                try Peer.libdvbpsi.log(test: #function, checks: codes.count)
            }
        }
    }
}
