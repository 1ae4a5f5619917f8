// SPDX-License-Identifier: Apache-2.0
import JSON
import NetworkPlan
import TestSupport
import Testing
import Venue

@testable import PacketCaptures

@Suite struct CaptureRequestTests {
    private static let whole = Array(
        #"{"address":"239.1.2.3","interface":"eth0.20","port":5004,"snap":262}"#.utf8)

    private static func refusal(_ text: String) -> String {
        do {
            _ = try CaptureRequest(parsing: Array(text.utf8))
            return "taken"
        } catch {
            return error.errorString
        }
    }

    @Test func bothWays() throws {
        let request = try CaptureRequest(parsing: Self.whole)
        #expect(request.interface.description == "eth0.20" && request.snap == 262)
        #expect(request.filter == CaptureFilter(address: NumericAddress("239.1.2.3"), port: 5_004))
        #expect(request.octets == Self.whole)
        let least = try CaptureRequest(parsing: Array(#"{"interface":"lo","snap":64,"kind":"igmp"}"#.utf8))
        let again = try CaptureRequest(parsing: least.octets)
        #expect(again == least && least.filter.kind == .igmp)
    }

    @Test(arguments: [
        ("", "the request is no JSON: 1:1"), ("[]", "the request is no object"),
        ("{}", "interface is missing; expected the name of an interface"),
        (#"{"interface":"../x","snap":64}"#, #"interface is "../x"; expected the name of an interface"#),
        (#"{"interface":7,"snap":64}"#, "interface is 7; expected the name of an interface"),
        (#"{"interface":"lo"}"#, "snap is missing; expected 64...65535"),
        (#"{"interface":"lo","snap":63}"#, "snap is 63; expected 64...65535"),
        (#"{"interface":"lo","snap":1.5}"#, "snap is 1.5; expected 64...65535"),
        (#"{"interface":"lo","snap":64,"address":"tv"}"#, #"address is "tv"; expected a numeric IPv4 or IPv6 address"#),
        (#"{"interface":"lo","snap":64,"port":0}"#, "port is 0; expected 1...65535"),
        (#"{"interface":"lo","snap":64,"port":65536}"#, "port is 65536; expected 1...65535"),
        (#"{"interface":"lo","snap":64,"kind":"tcp"}"#, #"kind is "tcp"; expected igmp or arp"#),
        (#"{"interface":"lo","snap":64,"kind":"arp","port":7}"#, "port is 7; expected none, because arp has no ports"),
        (
            #"{"interface":"lo","snap":64,"filter":[]}"#,
            #""filter" is no member; expected interface, snap, address, port, kind"#
        ),
    ])
    func whatIsWrongIsNamed(text: String, expected: String) {
        let said = Self.refusal(text)
        #expect(said == expected, "\(said)")
        #expect(!said.contains("\n"))
    }

    @Test func longOnesAreRefused() {
        let said = Self.refusal(String(repeating: " ", count: 1_025))
        #expect(said == "the request has 1025 octets; expected at most 1024")
    }

    @Test func damagedRequestsNeverTrap() throws {
        for count in 0..<Self.whole.count {
            #expect(throws: Status.self) { try CaptureRequest(parsing: Self.whole[..<count]) }
        }
        for seed in 0..<UInt64(Mutation.count(usual: 500)) {
            var mutation = Mutation(seed: seed)
            guard let taken = try? CaptureRequest(parsing: mutation.damage(Self.whole)) else { continue }
            let again = try CaptureRequest(parsing: taken.octets)
            #expect(again == taken)
        }
    }
}
