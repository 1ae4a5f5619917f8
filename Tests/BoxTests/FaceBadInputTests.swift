// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import JSON
import Media
import System
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// What would spoil the screen of a whole box is refused or bounded with the reason, and what is on it stays.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct FaceBadInputTests {
        /// The picture is small in a corner, so that everything else on the stage is text.
        private static let corner: JSONValue = [
            "name": "corner", "regions": [["name": "main", "width": 1_000, "height": 1_000]],
        ]

        private static func settings(_ channels: [JSONValue] = []) -> JSONValue {
            [
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(channels),
                "output": ["width": 320, "height": 180, "layout": "corner"], "sound": ["kind": "null"],
                "layouts": [corner], "log": ["level": "error"], "http": ["port": 0, "role": "administrator"],
            ]
        }

        private static func channel(_ name: String, number: Int = 101) -> JSONValue {
            [
                "name": .string(name), "number": .integer(Int64(number)), "address": "239.255.77.21",
                "port": .integer(Int64(21_270 + number)),
            ]
        }

        /// The pixels of a message in the middle of the screen, as texts that can be compared.
        private static func middle(_ box: RunningBox) throws -> [String] {
            try ScreenLook(box).text(in: .message).map { "\($0.x) \($0.y) \($0.red) \($0.green) \($0.blue)" }
        }

        /// A box with a message on its screen, and the pixels of it.
        private static func open(
            _ log: LogLines = LogLines(), _ body: (RunningBox, _ message: [String]) throws -> Void
        ) throws {
            let box = try RunningBox(settings(), change: { $0.log = { log.write($0) } })
            _ = try box.await("status") { $0["boxId"] != nil }
            #expect(box.client("message", "Half time", "--duration-ms", "3600000").code == 0)
            _ = try box.await("status") { _ in
                ((try? middle(box)) ?? []).count > 30  // a screenshot that fails is taken again
            }
            try body(box, try middle(box))
            #expect(try box.answer("stats").at("/stats/screenText/drawErrors") == 0)
            #expect(box.end() == .ok)
        }

        // MARK: Refused

        /// A layout of a thousand regions.
        private static var many: JSONValue {
            var regions: [JSONValue] = [["name": "main"]]
            for number in 1..<1_000 { regions.append(["name": .string("r\(number)")]) }
            return ["name": "many", "regions": .array(regions)]
        }

        /// What is merged into the settings, and what the refusal says.
        private struct Refused {
            let patch: JSONValue
            let says: [String]

            init(_ patch: JSONValue, _ says: String...) {
                self.patch = patch
                self.says = says
            }

            init(theme: JSONValue, _ says: String...) {
                patch = ["screenText": ["theme": theme]]
                self.says = says
            }
        }

        private static let refused = [
            Refused(
                theme: ["text": "#102038"], "/screenText/theme/text is ", "#102038",
                "expected a contrast of 4.5 or more with panel #102038"),
            Refused(
                theme: ["accent": "#203048"], "/screenText/theme/accent is ", "#203048",
                "expected a contrast of 4.5 or more with panel #102038"),
            Refused(
                theme: ["panel": "#ffffff"], "/screenText/theme/text is ",
                "expected a contrast of 4.5 or more with panel #ffffff"),
            Refused(theme: ["text": "#12"], "/screenText/theme/text is ", "#12", "expected "),
            Refused(["layouts": [corner, many]], "/layouts/1/regions", "expected ", "16"),
            Refused(
                ["channels": [channel(String(repeating: "\u{0301}", count: 129))]], "/channels/0/name is ",
                "expected a text of 1...128 characters"),
        ]

        @Test func badSettingsAreRefused() throws {
            try Self.open { box, message in
                let before = try box.answer("config")
                for bad in Self.refused {
                    let byClient = try box.merge(bad.patch)["errorString"]?.string ?? ""
                    let (code, body) = try box.http("PATCH", "/v1/config", bad.patch)
                    #expect(code == 422)
                    for refusal in [byClient, body["errorString"]?.string ?? ""] {
                        for part in bad.says { #expect(refusal.contains(part), "\(part): \(refusal)") }
                    }
                    #expect(try Self.middle(box) == message)
                }
                #expect(try box.answer("config") == before, "a refusal changes nothing")
            }
        }

        /// Commands cannot bring more regions onto the stage than settings may have.
        @Test func regionsAreBounded() throws {
            try Self.open { box, message in
                let place = ["--x", "0", "--y", "0", "--width", "1000", "--height", "1000"]
                for number in 2...16 {
                    let added = try box.answer(["region", "r\(number)"] + place)
                    #expect(added["errorString"] == nil)
                }
                let before = try box.answer("regions")
                #expect(names(before).count == 16)
                let refusal = try box.answer(["region", "r17"] + place)["errorString"]
                #expect(refusal == "16 regions are on the stage: expected fewer for a new one")
                #expect(box.client("gallery", String(repeating: "A,", count: 1_050)).code == 2)
                #expect(try box.answer("regions") == before, "a refusal changes nothing")
                #expect(try Self.middle(box) == message)
            }
        }

        // MARK: Logos

        /// The beginning of a PNG file of so many pixels, with the right checksum.
        private static func header(width: UInt32, height: UInt32) -> [UInt8] {
            func octets(_ value: UInt32) -> [UInt8] {
                [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
            }
            var chunk = Array("IHDR".utf8)
            chunk += octets(width) + octets(height)
            chunk += [8, 2, 0, 0, 0]
            var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            file += octets(13) + chunk
            return file + octets(CRC32(.iso3309, chunk).value)
        }

        /// Files that are no logos: settings with them are taken, and the box says what is wrong with each and goes on
        /// without it, on slates and in the banner.
        private static func files() throws -> [(name: String, octets: [UInt8])] {
            let wide = CanvasBuffer(width: 16_000, height: 4)
            wide.fill(blue: 0, green: 0, red: 255)
            return [
                ("huge.png", header(width: 20_000, height: 20_000)), ("wide.png", try PNG.encode(wide)),
                ("text.png", Array("no picture".utf8)), ("long.png", [UInt8](repeating: 0, count: (1 << 20) + 1)),
            ]
        }

        @Test func badLogosAreLeftOut() throws {
            let log = LogLines()
            try Self.open(log) { box, message in
                for (name, octets) in try Self.files() {
                    let path = "\(box.directory)/\(name)"
                    try DurableFile.write(octets, to: path)
                    let answer = try box.merge(["screenText": ["theme": ["logo": .string(path)]]])
                    #expect(answer["errorString"] == nil)
                    _ = try box.await("status") { _ in log.all.contains { $0.contains("logo \(path): ") } }
                    let line = log.all.first { $0.contains("logo \(path): ") } ?? ""
                    #expect(line.contains("stage: drawing failed"), "\(line)")
                    #expect(line.contains("1024 by 1024") == (name != "long.png"), "\(line)")
                    #expect(try Self.middle(box) == message)
                }
                let picture = CanvasBuffer(width: 64, height: 64)
                picture.fill(blue: 0, green: 0, red: 255)
                let good = box.directory + "/good.png"
                try DurableFile.write(try PNG.encode(picture), to: good)
                _ = try box.merge(["screenText": ["theme": ["logo": .string(good)]]])
                let place = ["--x", "6000", "--y", "6500", "--width", "4000", "--height", "3500"]
                let added = try box.answer(["region", "slate"] + place)
                #expect(added["errorString"] == nil)
                _ = try box.await("status") { _ in
                    let pixels = (try? ScreenLook(box).text(in: .right)) ?? []  // it is taken again
                    return pixels.contains { $0.red > 240 && $0.green < 15 && $0.blue < 15 }
                }
            }
        }

        // MARK: Names

        /// 256 octets each, with marks that stack among them.
        private static let stacked: [String] = [
            String(repeating: "قناة", count: 32), "\u{00f1}" + String(repeating: "\u{0301}", count: 127),
            String(repeating: "\u{1e92}\u{0335}\u{0300}\u{0323}", count: 28) + "abcd",
            String(repeating: "\u{0e01}\u{0e49}", count: 42) + "\u{0e01}a", String(repeating: "\u{1f3df}", count: 64),
        ]

        @Test func longNamesHaveTheirPlace() throws {
            let channels = Self.stacked.enumerated().map { Self.channel($1, number: 101 + $0) }
            for name in Self.stacked { #expect(name.utf8.count == 256) }
            let box = try RunningBox(Self.settings(channels))
            _ = try box.await("status") { $0["boxId"] != nil }
            #expect(try box.answer("osd", "banner", "on")["errorString"] == nil)
            for (index, name) in Self.stacked.enumerated() {
                let before = try box.answer("stats").at("/stats/screenText/typesettings")?.integer ?? 0
                #expect(try box.answer("tune", "\(101 + index)")["channel"] == .string(name))
                _ = try box.await("stats") { $0.at("/stats/screenText/typesettings")?.integer ?? 0 > before }
                _ = try box.await("status") { _ in
                    let pixels = (try? ScreenLook(box).text(in: .banner)) ?? []  // it is taken again
                    return pixels.count > 30
                }
                // Within the margins of 5 percent.
                for pixel in try ScreenLook(box).text(in: .banner) where pixel.x < 16 || pixel.y > 171 {
                    Issue.record("\(index): a pixel at \(pixel.x), \(pixel.y)")
                    break
                }
            }
            #expect(try box.answer("stats").at("/stats/screenText/drawErrors") == 0)
            #expect(box.end() == .ok)
        }
    }
}
