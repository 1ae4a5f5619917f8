// SPDX-License-Identifier: Apache-2.0
import Venue

extension CaptureFilter {
    /// Where fields lie in a frame of Ethernet without a VLAN tag, from its first octet on.
    private enum Offset {
        static let etherType: UInt32 = 12
        static let ip: UInt32 = 14
        static let fragment: UInt32 = 20
        static let protocolOfFour: UInt32 = 23
        static let sourceOfFour: UInt32 = 26
        static let destinationOfFour: UInt32 = 30
        static let senderOfARP: UInt32 = 28
        static let targetOfARP: UInt32 = 38
        static let nextHeaderOfSix: UInt32 = 20
        static let sourceOfSix: UInt32 = 22
        static let destinationOfSix: UInt32 = 38
        static let payloadOfSix: UInt32 = 54
        /// Behind a hop-by-hop header of 8 octets, which messages of MLD have (RFC 3810 §5).
        static let payloadBehindHopByHop: UInt32 = 62
        /// What the kernel knows beside the octets (SKF_AD_OFF of linux/filter.h).
        static let packetType: UInt32 = 0xffff_f004
        static let linkType: UInt32 = 0xffff_f01c
        static let hasTag: UInt32 = 0xffff_f030
    }

    private enum Value {
        static let four: UInt32 = 0x0800
        static let arp: UInt32 = 0x0806
        static let six: UInt32 = 0x86dd
        static let igmp: UInt32 = 2
        static let udp: UInt32 = 17
        static let icmpSix: UInt32 = 58
        static let hopByHop: UInt32 = 0
        /// ARPHRD_LOOPBACK and PACKET_OUTGOING of the kernel.
        static let loopback: UInt32 = 772
        static let outgoing: UInt32 = 4
    }

    private typealias Code = FilterAssembler.Code

    /// The program that keeps the frames that meet the filter.
    ///
    /// Frames with a VLAN tag are passed over: the kernel has taken the tag out of them, and without it they would look like
    /// those of the interface itself. What belongs to a VLAN is seen on the interface of the VLAN. A frame that loops back
    /// is seen twice by the kernel; the one that leaves is passed over.
    /// - Parameter snap: the most octets of a frame that are kept.
    public func program(snap: Int) -> FilterProgram {
        var program = FilterAssembler()
        let isIncoming = program.newMark()
        program.load(Code.loadWord, at: Offset.hasTag)
        program.test(Code.ifEqual, 0)
        program.load(Code.loadWord, at: Offset.linkType)
        program.test(Code.ifEqual, Value.loopback, else: .mark(isIncoming))
        program.load(Code.loadWord, at: Offset.packetType)
        program.test(Code.ifEqual, Value.outgoing, then: .drop, else: .next)
        program.mark(isIncoming)
        if self != CaptureFilter() {
            let parts: [(type: UInt32, isThere: Bool, add: (inout FilterAssembler) -> Void)] = [
                (Value.four, kind != .arp && address?.isIPv6 != true, addFour),
                (Value.six, address?.isIPv6 != false, addSix),
                (Value.arp, kind != .igmp && port == nil && address?.isIPv6 != true, addARP),
            ]
            program.load(Code.loadHalf, at: Offset.etherType)
            for part in parts where part.isThere {
                let end = program.newMark()
                program.test(Code.ifEqual, part.type, else: .mark(end))
                part.add(&program)
                program.go(to: .keep)
                program.mark(end)
            }
            program.go(to: .drop)
        }
        return program.program(keeping: UInt32(clamping: snap))
    }

    private func addFour(_ program: inout FilterAssembler) {
        if let address {
            Self.addWords(
                Self.words(address), at: [Offset.sourceOfFour, Offset.destinationOfFour], &program)
        }
        if kind == .igmp {
            program.load(Code.loadOctet, at: Offset.protocolOfFour)
            program.test(Code.ifEqual, Value.igmp)
        }
        guard let port else { return }
        program.load(Code.loadOctet, at: Offset.protocolOfFour)
        program.test(Code.ifEqual, Value.udp)
        program.load(Code.loadHalf, at: Offset.fragment)
        program.test(Code.ifAnyBit, 0x1fff, then: .drop, else: .next)
        program.load(Code.indexFromHeader, at: Offset.ip)
        program.load(Code.loadIndexedHalf, at: Offset.ip)
        program.test(Code.ifEqual, UInt32(port), then: .keep, else: .next)
        program.load(Code.loadIndexedHalf, at: Offset.ip + 2)
        program.test(Code.ifEqual, UInt32(port))
    }

    private func addSix(_ program: inout FilterAssembler) {
        if let address {
            Self.addWords(Self.words(address), at: [Offset.sourceOfSix, Offset.destinationOfSix], &program)
        }
        switch kind {
        case .igmp:
            program.load(Code.loadOctet, at: Offset.nextHeaderOfSix)
            program.test(Code.ifEqual, Value.hopByHop)
            program.load(Code.loadHalf, at: Offset.payloadOfSix)
            program.test(Code.ifEqual, Value.icmpSix << 8)  // a length of 0 is 8 octets
            program.load(Code.loadOctet, at: Offset.payloadBehindHopByHop)
            // Query, report and done, and the report of MLDv2.
            for type in [130, 131, 132] as [UInt32] { program.test(Code.ifEqual, type, then: .keep, else: .next) }
            program.test(Code.ifEqual, 143)
        case .arp:
            program.load(Code.loadOctet, at: Offset.nextHeaderOfSix)
            program.test(Code.ifEqual, Value.icmpSix)
            program.load(Code.loadOctet, at: Offset.payloadOfSix)
            // Router and neighbour solicitations and advertisements, and redirects (RFC 4861).
            program.test(Code.ifAtLeast, 133)
            program.test(Code.ifAtLeast, 138, then: .drop, else: .next)
        case nil: break
        }
        guard let port else { return }
        program.load(Code.loadOctet, at: Offset.nextHeaderOfSix)
        program.test(Code.ifEqual, Value.udp)
        program.load(Code.loadHalf, at: Offset.payloadOfSix)
        program.test(Code.ifEqual, UInt32(port), then: .keep, else: .next)
        program.load(Code.loadHalf, at: Offset.payloadOfSix + 2)
        program.test(Code.ifEqual, UInt32(port))
    }

    private func addARP(_ program: inout FilterAssembler) {
        guard let address else { return }
        Self.addWords(Self.words(address), at: [Offset.senderOfARP, Offset.targetOfARP], &program)
    }

    /// Goes on if the words are at one of the offsets.
    private static func addWords(
        _ words: [UInt32], at offsets: [UInt32], _ program: inout FilterAssembler
    ) {
        let found = program.newMark()
        for (index, offset) in offsets.enumerated() {
            let isLast = index == offsets.count - 1
            let other = program.newMark()
            for (place, word) in words.enumerated() {
                program.load(Code.loadWord, at: offset + UInt32(place) * 4)
                let isWhole = place == words.count - 1
                program.test(
                    Code.ifEqual, word, then: isWhole ? .mark(found) : .next, else: isLast ? .drop : .mark(other))
            }
            program.mark(other)
        }
        program.mark(found)
    }

    private static func words(_ address: NumericAddress) -> [UInt32] {
        let octets = address.octets
        return stride(from: 0, to: octets.count, by: 4).map { place in
            octets[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
