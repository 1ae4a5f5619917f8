// SPDX-License-Identifier: Apache-2.0
import ControlClient
import ControlMessages
import JSON
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// Who follows the events late learns first how things stand in each region, then what changes.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct LateSubscriberTests {
        static func follower(_ box: RunningBox) throws -> ControlClient {
            let client = try ControlClient(connectingTo: box.socket)
            try client.wait(atMost: .seconds(10))
            try client.send(ControlRequest(id: 1, command: "events", arguments: ["follow": true]))
            return client
        }

        /// The events of the snapshot. A command makes the event that comes after it: a new volume.
        static func snapshot(_ client: inout ControlClient, _ box: RunningBox) throws -> [JSONValue] {
            guard case .answer(_, let result) = try client.next(), let next = result["next"]?.integer else { return [] }
            _ = try box.answer("volume", "\(next % 90 + 1)")
            var events: [JSONValue] = []
            while case .event(let event) = try client.next() {
                events.append(event)
                if let sequence = event["sequence"]?.integer, sequence >= next { break }
            }
            #expect(events.popLast()?["sequence"]?.integer == next)
            return events
        }

        /// Channel by region.
        private static func states(_ events: [JSONValue]) -> [String: String] {
            var states: [String: String] = [:]
            for event in events where event["type"] == "video.channelState" {
                let region = event.at("/payload/region")?.string ?? "main"
                states[region] = event.at("/payload/channelName")?.string
            }
            return states
        }

        /// SVM-77: each event of the family `video` says its region, its channel and its time.
        @Test func learnsTheStateOfEachRegion() throws {
            let channels = ["A", "B", "C"].enumerated().map { index, name -> JSONValue in
                ["name": .string(name), "address": "239.255.77.35", "port": .integer(Int64(21_341 + index))]
            }
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(channels),
                "output": ["width": 320, "height": 180], "sound": ["kind": "null"], "log": ["level": "error"],
            ])
            _ = try box.await("status") { $0["boxId"] != nil }
            _ = try box.answer("layout", "quad")
            for (name, region) in [("A", "main"), ("B", "second"), ("C", "third")] {
                #expect(try box.answer("tune", name, "--region", region)["channel"] == .string(name))
            }
            var late = try Self.follower(box)
            let first = try Self.snapshot(&late, box)
            #expect(Self.states(first) == ["main": "A", "second": "B", "third": "C"])
            let times = first.compactMap { $0["time"]?.string }
            #expect(times.count == first.count && times == times.sorted())
            let sequences = first.compactMap { $0["sequence"]?.integer }
            #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
            // What changes then follows in the same order.
            #expect(try box.answer("tune", "C", "--region", "second")["channel"] == "C")
            var last = sequences.last.map { $0 + 1 } ?? 0  // that of the command
            var told = ""
            while told != "C", case .event(let event) = try late.next() {
                let sequence = event["sequence"]?.integer ?? 0
                #expect(sequence == last + 1)
                last = sequence
                guard event["type"] == "video.channelState", event.at("/payload/region") == "second" else { continue }
                told = event.at("/payload/channelName")?.string ?? ""
            }
            #expect(told == "C")
            // A region that is not on the stage any more has no state.
            _ = try box.answer("layout", "full")
            var later = try Self.follower(box)
            #expect(Self.states(try Self.snapshot(&later, box)) == ["main": "A"])
            #expect(box.end() == .ok)
        }
    }
}
