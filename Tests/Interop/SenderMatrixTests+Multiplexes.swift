// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

extension Interop.SenderMatrixTests {
    /// What multiplexers list and do not send, send where DVB has its tables, or call something else.
    static let multiplexes: [(row: Row, framing: StreamFraming)] = [
        (
            Row(name: "pictures where DVB has its service descriptions", expectation: .plays),
            StreamFraming(change: { packet in
                if packet.pid == 0x11 { packet = .null }
                if packet.pid == StreamFault.video { packet.pid = 0x11 }
                changeMap(&packet, at: StreamFault.video) { section, entry in
                    // The PID of the clock reference, and that of the pictures.
                    section.replaceSubrange(8..<10, with: [0xE0, 0x11])
                    section.replaceSubrange(entry + 1..<entry + 3, with: [0xE0, 0x11])
                }
            })
        ),
        (
            Row(name: "a first programme that is not there", expectation: .plays),
            StreamFraming(change: { packet in
                guard packet.pid == 0, packet.startsUnit else { return }
                // Programme 9, whose map is on PID 0x1009.
                packet.changeSection { section in section.insert(contentsOf: [0, 9, 0xF0, 0x09], at: 8) }
            })
        ),
        (
            Row(name: "a first PID of pictures on which nothing comes", expectation: .plays),
            StreamFraming(change: { packet in
                changeMap(&packet, at: StreamFault.video) { section, entry in
                    section.insert(contentsOf: [0x1B, 0xE1, 0xF0, 0xF0, 0], at: entry)
                }
            })
        ),
        (
            Row(name: "a first PID of sound on which nothing comes", expectation: .plays, isHeard: true),
            StreamFraming(change: { packet in
                changeMap(&packet, at: StreamFault.sound) { section, entry in
                    section.insert(contentsOf: [0x0F, 0xE1, 0xFF, 0xF0, 0], at: entry)
                }
            })
        ),
        (
            Row(name: "sound listed as private data", expectation: .plays, isHeard: true),
            StreamFraming(change: { packet in
                changeMap(&packet, at: StreamFault.sound) { section, entry in section[entry] = 0x06 }
            })
        ),
        (
            Row(name: "AAC with ADTS listed as LATM", expectation: .plays, isHeard: true),
            StreamFraming(change: { packet in
                changeMap(&packet, at: StreamFault.sound) { section, entry in section[entry] = 0x11 }
            })
        ),
    ]

    /// Changes the map, which is whole in one packet.
    /// - Parameter change: is given the section and the place of the stream's entry.
    private static func changeMap(
        _ packet: inout TransportPacket, at pid: Int, _ change: (inout [UInt8], Int) -> Void
    ) {
        guard packet.pid == StreamFault.map, packet.startsUnit else { return }
        packet.changeSection { section in
            if let entry = StreamFault.entry(of: pid, in: section) { change(&section, entry) }
        }
    }

    /// Many multiplexers raise the counter on packets without payload (tsduck #256). Nothing is lost there: a box that holds
    /// what is damaged back showed no picture, ever.
    @Test func countersRaisedWithoutPayload() async throws {
        try await TestVenue.open { venue in
            let video = try await CountedVideo.make(in: venue)
            let file = try TransportStreamFile(video).countingPacketsWithoutPayload()
            let target = StreamTarget()
            let box = try await BoxProcess(
                ["channels": [target.json], "playback": ["damage": "hold"]], in: venue)
            let sender = try FramedSender(file, StreamFraming(), to: target.group)
            defer { sender.end() }
            try await check(Row(name: "counters without payload", expectation: .plays), at: target, on: box)
            let damaged = try await box.counter("/playback/damagedVideoUnits")
            #expect(damaged < 5, "\(damaged) pictures are damaged")
            try Peer.ffmpeg.log(test: #function, checks: 2)
        }
    }
}
