// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time
import Venue

@testable import Recording

@Suite struct FlowDescriptionTests {
    private static let flows: [FlowDescription] = {
        var transports: [Transport] = [
            Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 96)),
            Transport(address: "ff15::1", port: 5_004, source: "fe80::1", encapsulation: .raw),
            Transport(address: "239.0.0.1", port: 1, encapsulation: .automatic),
        ]
        transports[0].repair = .windows(
            RepairWindows(
                endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_006), sourcePackets: 40, repairPackets: 6,
                depth: 3, span: .milliseconds(900)))
        transports[0].secondPath = SecondPath(endpoint: FlowEndpoint(address: "239.0.1.1", port: 9))
        return transports.compactMap {
            FlowDescription(
                "Arena", $0, bandwidthKbps: 6_000, program: "#3", counters: ["a", "b"], keepsPayload: true)
        }
    }()

    @Test func whatIsWrittenIsRead() throws {
        for flow in Self.flows {
            var flow = flow
            #expect(try FlowDescription(parsing: flow.json.octets()) == flow)
            flow.found = .parity(RepairParity(beside: "239.0.0.1", port: 5_004, span: .milliseconds(700)))
            flow.hold = .milliseconds(500)
            #expect(try FlowDescription(parsing: flow.json.octets()) == flow)
        }
    }

    @Test func whatIsWrongIsNamed() {
        let good = Self.flows[0].json
        for (name, value) in [("address", nil), ("encapsulation", "tcp"), ("port", 70_000), ("bandwidthKbps", -1)]
            as [(String, JSONValue?)]
        {
            var json = good
            json[name] = value
            #expect { _ = try FlowDescription(parsing: json.octets()) } throws: { "\($0)".hasPrefix(name) }
        }
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>) func anyOctetsCanBeRead(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for flow in Self.flows {
            var octets = flow.json.octets()
            for _ in 0..<4 {
                octets[Int.random(in: 0..<octets.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
            }
            _ = try? FlowDescription(parsing: octets)  // refusing is an answer
        }
    }
}
