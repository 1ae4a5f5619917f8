// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Tuning as the reference's events tell it, and "Shows 5": what tuning takes is given back.
    @Suite struct TuningTests {
        /// Two channels with a place to join each fifth of a second.
        private func withTwoChannels(_ body: (BoxProcess) async throws -> Void) async throws {
            try await TestVenue.open { venue in
                let groups: [(name: JSONValue, group: JSONValue)] = [("One", Group().json), ("Two", Group().json)]
                let cast: [JSONValue] = groups.enumerated().map { index, channel in
                    channel.group.merging(patch: [
                        "number": .integer(Int64(index)), "name": channel.name, "width": 320, "height": 180, "gop": 5,
                        "bitrateKbps": 300, "preset": "ultrafast", "encapsulation": index == 0 ? "rtp" : "raw",
                    ])
                }
                let received: [JSONValue] = groups.enumerated().map { index, channel in
                    channel.group.merging(patch: ["name": channel.name, "encapsulation": index == 0 ? "rtp" : "raw"])
                }
                _ = try venue.headEnd([
                    "streamer": ["id": "cycles"], "license": BoxProcess.license, "announcements": ["groups": []],
                    "network": ["interface": "lo", "hops": 1], "channels": .array(cast),
                ])
                try await body(
                    try await BoxProcess(
                        ["channels": .array(received), "playback": ["historyMs": 1_000]], in: venue))
            }
        }

        @Test func eventsComeInTheReferencesOrder() async throws {
            try await withTwoChannels { box in
                let events = try box.events()
                try await box.tune("One")
                try await box.tune("One")  // no change, no event
                try await box.tune("Two")
                _ = try await box.answer("stop")
                _ = try await box.answer("stop")
                let last = try await events.next("video.channelState", within: .seconds(2)) {
                    $0["channelName"] == "Two" && $0["channelState"] == "close"
                }
                let all = try await box.answer("events")["events"]?.array ?? []
                let states = all.filter { $0["type"] == "video.channelState" }.compactMap { event in
                    event.at("/payload/channelName")?.string.flatMap { name in
                        event.at("/payload/channelState")?.string.map { "\(name) \($0)" }
                    }
                }
                #expect(
                    states == [
                        "One open", "One play", "One stop", "One close", "Two open", "Two play", "Two stop",
                        "Two close",
                    ])
                let sequences = all.compactMap { $0["sequence"]?.integer }
                #expect(sequences == Array(1...Int64(sequences.count)))
                #expect(last["sequence"] == all.last { $0["type"] == "video.channelState" }?["sequence"])
            }
        }

        @Test func twentyCyclesLeaveNothingBehind() async throws {
            try await withTwoChannels { box in
                // A thread gives itself its name.
                let areNamed = try await eventually(within: .seconds(10)) {
                    try box.threadNames.count { $0 == "touchlined" } == 1
                }
                #expect(areNamed)
                let idle = (descriptors: try box.descriptorCount, threads: try box.threadNames.sorted())
                #expect(!idle.threads.contains("decode") && !idle.threads.contains("receive"), "\(idle.threads)")
                func cycle(_ index: Int) async throws {
                    try await box.tune(index.isMultiple(of: 2) ? "One" : "Two")
                    #expect(try box.threadNames.filter { $0 == "decode" }.count == 1)
                    _ = try await box.answer("stop")
                }
                for index in 0..<5 { try await cycle(index) }
                let warm = try box.residentKilobytes
                let began = ContinuousClock.now
                var cycles = 0
                repeat {
                    for index in 0..<20 { try await cycle(index) }
                    cycles += 20
                } while ContinuousClock.now - began < .seconds(Interop.playSeconds(usual: 0) / 4)
                // The last channel's history is kept for a second yet, and the last caller's connection for a moment.
                let isBack = try await eventually(within: .seconds(10)) {
                    try box.descriptorCount <= idle.descriptors && box.threadNames.sorted() == idle.threads
                }
                let after = (try box.descriptorCount, try box.threadNames.sorted(), try box.residentKilobytes)
                #expect(isBack, "before \(idle), after \(after)")
                #expect(after.2 - warm <= 8_192, "\(warm) kB before \(cycles) cycles, \(after.2) kB behind them")
                print("\(cycles) cycles: \(warm) kB before, \(after.2) kB behind; \(after.0) descriptors, \(after.1)")
            }
        }
    }
}
