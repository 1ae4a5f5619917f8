// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// The live page in a browser, by what people do with it: `page.py` does it and says what came of it.
    @Suite struct PageTests {
        /// The checks of what plays, which wait for pictures; the others have a box of their own.
        private static let playing = [
            "first_paint", "paints_at_once_and_stands_still", "tunes_by_click_and_the_picture_moves",
            "rewinds_and_the_counter_steps_back", "everything_by_keyboard",
        ]

        @Test(.enabled(if: Peer.chromium.isThere)) func peopleWatchOnThePage() async throws {
            let checks = try await use(Self.playing)
            #expect(checks == Self.playing.count)
            try Peer.chromium.log(test: #function, checks: checks)
        }

        /// Screenshots are made if `TOUCHLINE_PAGE_PICTURES` is set, and go there: those of the README are made so.
        @Test(.enabled(if: Peer.chromium.isThere)) func peopleCommandByThePage() async throws {
            let others = Self.playing + ["two_hundred_channels"] + (picturesWanted == nil ? ["looks"] : [])
            let checks = try await use(others.map { "without:" + $0 })
            #expect(checks >= 9)
            try Peer.chromium.log(test: #function, checks: checks)
        }

        /// - Parameter words: which checks, as `page.py` has them.
        /// - Returns: how many there were.
        private func use(_ words: [String]) async throws -> Int {
            var count = 0
            try await TestVenue.open { venue in
                let (one, two) = (Group(), Group())
                _ = try venue.headEnd(headEnd(one, two))
                let box = try await BoxProcess(
                    [
                        "channels": .array([channel("One", one), channel("Two", two)] + others.map { channel($0) }),
                        "lineUp": [
                            "channels": [
                                ["channel": "One", "number": 1, "groups": ["News"]],
                                ["channel": "Two", "number": 2, "favourite": true, "groups": ["Sport"]],
                            ]
                        ],
                        "http": ["port": 0, "role": "administrator"], "output": ["width": 1_280, "height": 720],
                    ], in: venue)
                guard let port = try await box.answer("status")["httpPort"]?.integer else {
                    throw VenueError("the box serves no HTTP")
                }
                try await box.tune("One")
                let pictures = try makeDirectory(in: venue)
                let browser = try await browse(port, pictures, words, in: venue)
                let outcomes = try Self.outcomes(of: browser)
                #expect(!outcomes.isEmpty, "\(browser.messages)")
                // Nobody looks any more: nothing is encoded any more.
                let isLeft = try await eventually(within: .seconds(5)) {
                    try await box.counter("/pictures/viewers") == 0
                }
                #expect(isLeft)
                let encoded = try await box.counter("/pictures/picturesEncoded")
                #expect(encoded > 20)
                _ = try await box.screenshot("last.png")
                #expect(try await box.counter("/pictures/picturesEncoded") == encoded)
                try keep(pictures)
                count = outcomes.count
            }
            return count
        }

        /// The list keeps pace with 200 announced channels while some of them change, one each 50 ms (SVM-42).
        @Test(.enabled(if: Peer.chromium.isThere)) func twoHundredChannelsAreListed() async throws {
            try await TestVenue.open { venue in
                let (heard, media) = (Group(), Group())
                let box = try await BoxProcess(
                    [
                        "announcements": ["groups": [heard.json]], "http": ["port": 0, "role": "administrator"],
                        "output": ["width": 320, "height": 180],
                    ], in: venue)
                guard let port = try await box.answer("status")["httpPort"]?.integer else {
                    throw VenueError("the box serves no HTTP")
                }
                try await ChannelCrowd(heard, of: media).announceAll(to: box)
                let pictures = try makeDirectory(in: venue)
                let (count, messages) = try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { try await ChannelCrowd.change(heard, of: media) }
                    defer { tasks.cancelAll() }
                    let browser = try await browse(port, pictures, ["two_hundred_channels"], in: venue)
                    return (try Self.outcomes(of: browser).count, browser.messages)
                }
                #expect(count == 1, "\(messages)")
                try Peer.chromium.log(test: #function, checks: count)
            }
        }

        /// - Parameter words: which checks, as `page.py` has them.
        private func browse(
            _ port: Int64, _ pictures: String, _ words: [String], in venue: TestVenue
        ) async throws -> ChildProcess {
            try await venue.run(
                asNobody(home: pictures) + ["python3", "-B", script, "http://127.0.0.1:\(port)/", pictures] + words,
                within: .seconds(400))
        }

        /// What came of each check.
        private static func outcomes(of browser: ChildProcess) throws -> [JSONValue] {
            let outcomes = try browser.outputText.split(separator: "\n").map { try JSONValue.parse(String($0)) }
            for outcome in outcomes {
                let why = outcome["why"]?.string ?? ""
                #expect(outcome["isOk"] == true, "\(outcome["check"]?.string ?? ""): \(why)")
                print("page \(outcome["check"]?.string ?? ""): \(why)")
            }
            return outcomes
        }

        /// Nobody sends these. Names are shown as they are, whatever is in them and whichever way they are read.
        private let others = [
            "Concourse", "Press room", "قناة الملعب", "<b>Bold</b> & \"quoted\" <img src=x onerror=alert(1)>",
        ]

        private func channel(_ name: String, _ group: Group = Group()) -> JSONValue {
            group.json.merging(patch: ["name": .string(name), "encapsulation": "rtp"])
        }

        private func headEnd(_ one: Group, _ two: Group) -> JSONValue {
            [
                "streamer": ["id": "page"], "license": BoxProcess.license, "network": ["interface": "lo", "hops": 1],
                "announcements": ["groups": [Group().json]],
                "channels": [
                    one.json.merging(patch: ["number": 1, "name": "One", "preset": "ultrafast"]),
                    two.json.merging(patch: [
                        "number": 2, "name": "Two", "width": 640, "height": 360, "bitrateKbps": 1_000,
                        "preset": "ultrafast",
                    ]),
                ],
            ]
        }

        private let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Browser/page.py").path

        /// Chromium is not for root.
        private func asNobody(home: String) -> [String] {
            guard getuid() == 0 else { return ["env", "HOME=\(home)"] }
            return [
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=\(home)", "TMPDIR=\(home)",
            ]
        }

        private func makeDirectory(in venue: TestVenue) throws -> String {
            let path = venue.directory.file("browser")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            if getuid() == 0 {
                try FileManager.default.setAttributes(
                    [.ownerAccountID: 65_534, .groupOwnerAccountID: 65_534], ofItemAtPath: path)
            }
            return path
        }

        private let picturesWanted = ProcessInfo.processInfo.environment["TOUCHLINE_PAGE_PICTURES"]

        private func keep(_ pictures: String) throws {
            guard let target = picturesWanted else { return }
            for name in ["page-light.png", "page-dark.png", "page-phone.png"] {
                let picture = try Data(contentsOf: URL(fileURLWithPath: "\(pictures)/\(name)"))
                try picture.write(to: URL(fileURLWithPath: "\(target)/\(name)"))
            }
        }
    }
}
