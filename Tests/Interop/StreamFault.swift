// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a transport stream all along, made from one of ffmpeg's with which nothing is.
enum StreamFault: String, CaseIterable {
    case garbageInPackets, truncatedPES, lyingPESLength, flappingMap, mapWithoutSound, swappedPIDs
    case timesJumpToAndFro, decodingAfterPresenting, noClockReference, brokenClockReference
    case lyingSequence, eightThousandLines, noTimeStamps

    /// Some counter of these must say so; empty: there is nothing to count, it plays.
    var counters: [String] {
        switch self {
        case .garbageInPackets: ["/num_ts_discontinuities"]
        case .truncatedPES, .lyingSequence, .eightThousandLines:
            ["/playback/decodeErrors", "/playback/damagedFrames", "/playback/damagedVideoUnits"]
        case .lyingPESLength: ["/playback/damagedVideoUnits", "/playback/damagedAudioUnits", "/sound/decodeErrors"]
        case .mapWithoutSound, .swappedPIDs: ["/playback/programChanges"]
        case .flappingMap: []  // another version of the same
        case .timesJumpToAndFro: ["/playback/timestampJumps"]
        case .decodingAfterPresenting: ["/playback/disorderedTimes"]
        case .noClockReference: []
        case .brokenClockReference: []
        case .noTimeStamps: ["/playback/unitsWithoutTime"]
        }
    }

    /// Whether pictures go on while it lasts.
    var plays: Bool {
        switch self {
        case .flappingMap, .mapWithoutSound, .decodingAfterPresenting, .noClockReference: true
        default: false
        }
    }

    static let video = 0x100
    static let sound = 0x101
    static let map = 0x1000

    /// - Parameter index: of the packet in its file.
    func apply(to packet: inout TransportPacket, at index: Int, state: inout State) {
        switch self {
        case .garbageInPackets:
            // A third of the packets: the header's PID and everything behind it.
            if index % 3 == 0 { for place in 1..<188 { packet.octets[place] = state.random() } }
        case .truncatedPES:
            guard packet.pid == Self.video else { return }
            if packet.startsUnit { state.unitPackets = 0 }
            state.unitPackets += 1
            if state.unitPackets > 2 { return packet = .null }
            state.counter &+= 1
            packet.counter = state.counter
        case .lyingPESLength:
            guard packet.startsUnit, [Self.video, Self.sound].contains(packet.pid) else { return }
            packet.octets[packet.payloadStart + 4] = 0
            packet.octets[packet.payloadStart + 5] = 40
        case .flappingMap, .mapWithoutSound:
            guard packet.pid == Self.map, packet.startsUnit else { return }
            state.versions &+= 1
            let hidesSound = self == .mapWithoutSound && state.versions % 2 == 0
            packet.changeSection { section in
                section[5] = section[5] & 0xc1 | (state.versions & 0x1f) << 1
                // Another type in the place of the sound's: user private.
                if hidesSound, let place = Self.entry(of: Self.sound, in: section) { section[place] = 0xf0 }
            }
        case .swappedPIDs:
            switch packet.pid {
            case Self.video: packet.pid = Self.sound
            case Self.sound: packet.pid = Self.video
            case Self.map where packet.startsUnit: packet.changeSection(Self.swapPIDs)
            default: return
            }
        case .timesJumpToAndFro:
            // Each half second of packets another time: hours forth, and back.
            packet.shiftStamps(by: index / 800 % 2 == 0 ? 0 : 90_000 * 7_200)
        case .decodingAfterPresenting: packet.putDecodingTimeLate(by: 9_000)
        case .noClockReference: packet.removeClockReference()
        case .brokenClockReference:
            guard packet.hasAdaptationField, packet.octets[4] >= 7, packet.octets[5] & 0x10 != 0 else { return }
            for place in 6..<10 { packet.octets[place] = state.random() }
        case .lyingSequence: replaceSequence(in: &packet, SequenceParameters(width: 320, height: 180, references: 1))
        case .eightThousandLines:
            replaceSequence(in: &packet, SequenceParameters(width: 8_192, height: 8_000, references: 16))
        case .noTimeStamps:
            guard packet.startsUnit, [Self.video, Self.sound].contains(packet.pid) else { return }
            packet.octets[packet.payloadStart + 7] &= 0x3f
        }
    }

    struct State {
        var unitPackets = 0
        var counter: UInt8 = 0
        var versions: UInt8 = 0
        private var seed: UInt64

        init(seed: UInt64) { self.seed = seed }

        /// Knuth's MMIX generator: a stream of faults is the same for a seed everywhere.
        mutating func random() -> UInt8 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 56)
        }
    }

    /// Place of a stream's entry in a program map without its check.
    static func entry(of pid: Int, in section: [UInt8]) -> Int? {
        var place = 12 + (Int(section[10] & 0x0f) << 8 | Int(section[11]))
        while place + 5 <= section.count {
            if Int(section[place + 1] & 0x1f) << 8 | Int(section[place + 2]) == pid { return place }
            place += 5 + (Int(section[place + 3] & 0x0f) << 8 | Int(section[place + 4]))
        }
        return nil
    }

    private static func swapPIDs(_ section: inout [UInt8]) {
        section[5] = section[5] & 0xc1 | 0x1e << 1
        guard let one = entry(of: video, in: section), let other = entry(of: sound, in: section) else { return }
        for (place, pid) in [(one + 1, sound), (other + 1, video), (8, sound)] {
            section[place] = 0xe0 | UInt8(pid >> 8)
            section[place + 1] = UInt8(pid & 0xff)
        }
    }

    /// Overwrites the sequence parameter set in the packet, if there is one, zeros behind it.
    private func replaceSequence(in packet: inout TransportPacket, _ parameters: SequenceParameters) {
        guard packet.pid == Self.video, packet.startsUnit else { return }
        let octets = packet.octets
        let starts = (packet.payloadStart..<184).filter { octets[$0..<$0 + 3].elementsEqual([0, 0, 1]) }
        guard let place = starts.first(where: { octets[$0 + 3] & 0x1f == 7 }),
            let next = starts.first(where: { $0 > place })
        else { return }
        let end = octets[next - 1] == 0 ? next - 1 : next
        let unit = parameters.unit
        guard unit.count <= end - place - 3 else { return }
        let zeros = [UInt8](repeating: 0, count: end - place - 3 - unit.count)
        packet.octets.replaceSubrange(place + 3..<end, with: unit + zeros)
    }
}
