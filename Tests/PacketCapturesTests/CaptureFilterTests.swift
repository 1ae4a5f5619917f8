// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Venue

@testable import PacketCaptures

/// SVM-25: what a filter keeps, by a machine that runs its program.
@Suite struct CaptureFilterTests {
    private static let group = "239.1.2.3"
    private static let frames: [(name: String, octets: [UInt8])] = [
        ("rtp", Frames.four("192.0.2.1", group, protocol: 17, Frames.udp(5_004, 5_004))),
        ("answer", Frames.four(group, "192.0.2.1", protocol: 17, Frames.udp(9_875, 40_000))),
        ("sap", Frames.four("192.0.2.1", "224.2.127.254", protocol: 17, Frames.udp(40_000, 9_875))),
        ("options", Frames.four("192.0.2.1", group, protocol: 17, options: 3, Frames.udp(1, 5_004))),
        ("fragment", Frames.four("192.0.2.1", group, protocol: 17, fragment: 185, Frames.udp(5_004, 5_004))),
        ("first", Frames.four("192.0.2.1", group, protocol: 17, fragment: 0x2000, Frames.udp(5_004, 5_004))),
        ("igmp", Frames.four("192.0.2.1", "224.0.0.22", protocol: 2, options: 1, [0x22, 0, 0, 0, 0, 0, 0, 1])),
        ("leave", Frames.four("192.0.2.1", group, protocol: 2, options: 1, [0x17, 0, 0, 0, 239, 1, 2, 3])),
        ("tcp", Frames.four("192.0.2.1", "192.0.2.2", protocol: 6, Frames.udp(5_004, 5_004))),
        ("rtp6", Frames.six("2001:db8::1", "ff3e::8000:1", next: 17, Frames.udp(5_004, 5_004))),
        ("mld", Frames.listener(143)), ("query6", Frames.listener(130)), ("echo6", Frames.listener(128)),
        ("solicit", Frames.neighbour(135)), ("advertise", Frames.neighbour(136)), ("ping6", Frames.neighbour(128)),
        ("arp", Frames.arp("192.0.2.1", "192.0.2.2")), ("other", Frames.addressed(0x88cc)),
    ]

    private static func kept(_ filter: CaptureFilter, _ machine: FilterMachine = FilterMachine()) throws -> [String] {
        let program = filter.program(snap: 262)
        return try frames.filter { try machine.run(program, over: $0.octets) != 0 }.map(\.name)
    }

    private static func address(_ text: String) -> NumericAddress? { NumericAddress(text) }

    @Test func withoutAFilterEverythingIsKept() throws {
        let all = try Self.kept(CaptureFilter())
        #expect(all == Self.frames.map(\.name))
        #expect(CaptureFilter().description == "everything")
    }

    @Test func aGroupIsKeptBothWays() throws {
        let group = try Self.kept(CaptureFilter(address: Self.address(Self.group)))
        #expect(group == ["rtp", "answer", "options", "fragment", "first", "leave"])
        let host = try Self.kept(CaptureFilter(address: Self.address("192.0.2.2")))
        #expect(host == ["tcp", "arp"])
        let sender = try Self.kept(CaptureFilter(address: Self.address("192.0.2.1")))
        #expect(sender.contains("arp") && sender.contains("igmp") && !sender.contains("mld"))
        let six = try Self.kept(CaptureFilter(address: Self.address("ff3e::8000:1")))
        #expect(six == ["rtp6"])
        let source = try Self.kept(CaptureFilter(address: Self.address("fe80::1")))
        #expect(source == ["mld", "query6", "echo6", "solicit", "advertise", "ping6"])
        // Its first three words are those of another.
        let near = try Self.kept(CaptureFilter(address: Self.address("fe80::2")))
        #expect(near.isEmpty)
    }

    @Test func aPortIsThatOfUDPAlone() throws {
        let rtp = try Self.kept(CaptureFilter(port: 5_004))
        #expect(rtp == ["rtp", "options", "first", "rtp6"])
        let sap = try Self.kept(CaptureFilter(port: 9_875))
        #expect(sap == ["answer", "sap"])
        let both = try Self.kept(CaptureFilter(address: Self.address("224.2.127.254"), port: 9_875))
        #expect(both == ["sap"])
        let none = try Self.kept(CaptureFilter(address: Self.address("224.2.127.254"), port: 5_004))
        #expect(none.isEmpty)
    }

    @Test func kindsAreThoseOfBothVersions() throws {
        let igmp = try Self.kept(CaptureFilter(kind: .igmp))
        #expect(igmp == ["igmp", "leave", "mld", "query6"])
        let arp = try Self.kept(CaptureFilter(kind: .arp))
        #expect(arp == ["solicit", "advertise", "arp"])
        let leaves = try Self.kept(CaptureFilter(address: Self.address(Self.group), kind: .igmp))
        #expect(leaves == ["leave"])
        let asked = try Self.kept(CaptureFilter(address: Self.address("192.0.2.2"), kind: .arp))
        #expect(asked == ["arp"])
    }

    @Test func tagsAndWhatLeavesByLoopbackArePassedOver() throws {
        let tagged = try Self.kept(CaptureFilter(), FilterMachine(hasTag: true))
        #expect(tagged.isEmpty)
        let leaving = try Self.kept(CaptureFilter(), FilterMachine(isLoopback: true, isOutgoing: true))
        #expect(leaving.isEmpty)
        let looped = try Self.kept(CaptureFilter(kind: .igmp), FilterMachine(isLoopback: true))
        #expect(looped.count == 4)
        let sent = try Self.kept(CaptureFilter(kind: .igmp), FilterMachine(isOutgoing: true))
        #expect(sent.count == 4, "what the box sends by a wire is seen")
    }

    /// What the kernel accepts: jumps forward that stay inside, a return at the end. No frame, however short, is taken for
    /// something that it is not.
    @Test func programsAreSoundForAnyFrame() throws {
        let addresses: [NumericAddress?] = [nil, Self.address(Self.group), Self.address("ff3e::8000:1")]
        for address in addresses {
            for port in [nil, 5_004] as [UInt16?] {
                for kind in [nil, .igmp, .arp] as [CaptureFilter.Kind?] {
                    let filter = CaptureFilter(address: address, port: port, kind: kind)
                    guard filter.problem == nil else { continue }
                    let program = filter.program(snap: 65_535)
                    let last = try #require(program.instructions.last)
                    #expect(last.code == 0x06 && last.constant == 0 && program.instructions.count < 64)
                    for (_, frame) in Self.frames {
                        for count in 0..<min(frame.count, 70) {
                            let result = try FilterMachine().run(program, over: Array(frame[..<count]))
                            #expect(result == 0 || result == 65_535)
                        }
                    }
                    for seed in 0..<UInt64(Mutation.count(usual: 100)) {
                        var mutation = Mutation(seed: seed)
                        let frame = mutation.damage(Self.frames[Int(seed) % Self.frames.count].octets)
                        _ = try FilterMachine().run(program, over: frame)
                    }
                }
            }
        }
    }

    /// As `tcpdump -d igmp` has it, behind what we look at first.
    @Test func theProgramForIGMPIsShort() {
        let program = CaptureFilter(kind: .igmp).program(snap: 96)
        let four = program.instructions[6..<11].map { [UInt32($0.code), $0.constant] }
        #expect(four == [[0x28, 12], [0x15, 0x0800], [0x30, 23], [0x15, 2], [0x15, 0]])
        #expect(program.instructions.suffix(2).map(\.constant) == [96, 0])
    }

    @Test func whatNoFrameMeetsIsTold() {
        let problem = CaptureFilter(port: 5_004, kind: .igmp).problem
        #expect(problem == "port is 5004; expected none, because igmp has no ports")
        #expect(CaptureFilter(port: 0).problem == "port is 0; expected 1...65535")
        let filter = CaptureFilter(address: Self.address(Self.group), port: 5_004)
        #expect(filter.problem == nil && filter.description == "address 239.1.2.3, UDP port 5004")
    }
}
