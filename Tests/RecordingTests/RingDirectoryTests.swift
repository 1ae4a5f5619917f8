// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import System
import Testing
import Time
import Venue

@testable import Recording

@Suite struct RingDirectoryTests {
    private let parent = FileManager.default.temporaryDirectory.appendingPathComponent("rings-\(UUID())").path

    private func description() -> FlowDescription? {
        FlowDescription(
            "Arena", Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33)),
            bandwidthKbps: 0, program: "", counters: [], keepsPayload: false)
    }

    /// What a process leaves that is killed is found by the next one, once; what it removed is not.
    @Test func whatADeadProcessLeavesIsFound() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }  // the test has ended
        let dead = RingDirectory(parent, nonce: 1)
        let flows = FlowRecordings(dead)
        let texts = try BoxRings(in: dead)
        texts.add(event: ["type": "video.open"], at: Monotonic(nanoseconds: 1))
        let taken = WallTime(nanoseconds: 1_795_788_309_000_000_000)
        texts.add(picture: [0xFF, 0xD8, 0x0A, 0xFF, 0xD9], taken: taken, at: Monotonic(nanoseconds: 2))
        let tap = try #require(flows.begin(description()))
        [UInt8](repeating: 0x47, count: 188).withUnsafeBytes {
            tap.take(.datagram, $0, part: 0, at: Monotonic(nanoseconds: 2))
        }
        let next = RingDirectory(parent, nonce: 2)
        let own = try BoxRings(in: next)
        own.add(event: [:], at: Monotonic(nanoseconds: 3))
        let left = next.takeLeft()
        #expect(left.count == 1)
        let plan = BundlePlan(head: Array("{}".utf8), settings: [], left: left[0])
        let bundle = try Bundle(parsing: try #require(plan.octets(atMost: 1 << 20)))
        #expect(try bundle.flows().first?.flow == description())
        #expect(try bundle.flows().first?.inputs.count == 1)
        let events = try #require(bundle.sections.first { $0.kind == .events })
        #expect(String(decoding: events.octets, as: UTF8.self).contains("video.open"))
        let files = bundle.files
        #expect(files.map(\.name).prefix(3) == ["head.json", "events.jsonl", "flow-0.json"])
        #expect(files.last?.name == "picture-0-20261127T140509.jpg")
        #expect(files.last?.octets == [0xFF, 0xD8, 0x0A, 0xFF, 0xD9])
        #expect(next.takeLeft().isEmpty)
        next.remove()
        #expect(RingDirectory(parent, nonce: 3).takeLeft().isEmpty)
    }

    @Test func whatIsNoRingIsPassedOver() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }  // the test has ended
        try DurableFile.makeDirectory("\(parent)/dead")
        try DurableFile.write([1, 2, 3], to: "\(parent)/dead/flow1.ring")
        try DurableFile.write([UInt8](repeating: 0, count: 40_000), to: "\(parent)/dead/events.ring")
        #expect(RingDirectory(parent, nonce: 1).takeLeft().isEmpty)
        #expect(try DurableFile.names(in: parent).isEmpty)
    }

    /// A channel that was left stays for a minute; no more than sixteen are there; nothing is recorded if it is off.
    @Test func channelsComeAndGo() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }  // the test has ended
        let flows = FlowRecordings(RingDirectory(parent, nonce: 1))
        let start = Monotonic(nanoseconds: 0)
        let first = try #require(flows.begin(description()))
        flows.end(first, at: start)
        flows.expire(at: start + .seconds(59))
        #expect(flows.flows.count == 1)
        flows.expire(at: start + .seconds(60))
        #expect(flows.flows.isEmpty)
        let many = (0..<17).map { _ in flows.begin(description()) }
        #expect(many.compactMap { $0 }.count == 16)
        flows.options.isOn = false
        flows.end(many[0], at: start)
        #expect(flows.begin(description()) == nil)
    }

    /// Memory that is not there is a problem that is told, and the channel plays without being recorded.
    @Test func aDirectoryThatCannotBeMadeIsTold() {
        let flows = FlowRecordings(RingDirectory("/proc/none", nonce: 1))
        #expect(flows.begin(description()) == nil)
        #expect(flows.problem?.contains("/proc/none") == true)
    }
}
