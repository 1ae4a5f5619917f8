// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// A box that plays what a sender sends, which does as it is told.
final class BadInputScene {
    let venue: TestVenue
    let box: BoxProcess
    let sender: StreamSender
    let file: TransportStreamFile
    let announcements: Group

    init(in venue: TestVenue) async throws {
        self.venue = venue
        file = try TransportStreamFile(try await CountedVideo.make(packet: 200, in: venue))
        let group = Group()
        announcements = Group()
        sender = try StreamSender(file, to: group)
        box = try await BoxProcess(
            [
                "channels": [group.json.merging(patch: ["name": "One"])],
                "announcements": ["groups": [announcements.json]],
            ], in: venue)
        try await box.tune("One")
    }

    deinit { sender.end() }

    /// Waits until pictures of the good data are on the screen and follow each other.
    func expectPictureBack(_ good: StreamSender.GoodData, test: String = #function) async throws {
        var stamps: Set<Int64> = []
        _ = try await eventually(within: .seconds(5)) {
            let shown = try await box.counter("/stage/presentedPTS")
            if isBehind(shown, good.pts, of: good) { stamps.insert(shown) }
            return stamps.count >= 2
        }
        let patience = ContinuousClock.now - good.since
        print("\(test): picture back after \(patience)")
        let stats = try await box.answer("stats")
        #expect(stamps.count >= 2 && patience <= .seconds(1), "\(patience), \(stats)")
        // Whole again from the next random-access point on, at the latest.
        _ = try await eventually(within: .seconds(2)) {
            isBehind(try await box.counter("/stage/presentedPTS"), good.nextEntry, of: good)
        }
        var paths = [try await box.screenshot("a.png")]
        let before = try await box.counter("/stage/picturesPresented")
        _ = try await eventually(within: .seconds(1)) {
            try await box.counter("/stage/picturesPresented") > before + 1
        }
        paths.append(try await box.screenshot("b.png"))
        let numbers = try await Screenshots(paths, in: venue).numbers
        #expect(!numbers.contains(nil) && numbers[0] != numbers[1], "\(numbers)")
        try Peer.ffmpeg.log(test: test, checks: 1)
    }

    /// Not before a time stamp of the good data, and not of the same film as it was sent before.
    private func isBehind(_ shown: Int64, _ stamp: Int64, of good: StreamSender.GoodData) -> Bool {
        let elapsed = (ContinuousClock.now - good.since) / .milliseconds(1)
        return (0..<Int64(elapsed + 1_000) * 90).contains(Self.ticks(from: stamp, to: shown))
    }

    /// Time stamps have 33 bits on the wire, and the box's may have more.
    private static func ticks(from stamp: Int64, to shown: Int64) -> Int64 { (shown - stamp) & (1 << 33 - 1) }

    /// Waits for a counter: what was sent is in the kernel's queue for a moment.
    func expect(_ counter: String, _ value: Int64) async throws {
        let isThere = try await eventually(within: .seconds(2)) { try await box.counter(counter) == value }
        let found = try await box.counter(counter)
        #expect(isThere, "\(counter) is \(found), not \(value)")
    }
}
