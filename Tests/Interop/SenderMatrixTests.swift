// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 3": each sender plays, or the box says in one line why it does not.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct SenderMatrixTests {
        enum Expectation { case plays, says(String) }

        /// What is sent, and how the box is told of it.
        struct Row {
            let name: String
            var settings: JSONValue = [:]
            /// How ffmpeg sends it: in RTP it makes one programme of all streams.
            var encapsulation = StreamTarget.Encapsulation.rtp
            /// Whether ffmpeg is told the length of datagrams.
            var isSized = true
            let expectation: Expectation
            /// Of pictures that are shown.
            var least: Int64 = 25
            /// Whether its sound has to be heard as well.
            var isHeard = false
        }

        /// Tunes a channel whose sender runs, and waits for its pictures or for the reason why there are none.
        func check(_ row: Row, at target: StreamTarget, on box: BoxProcess) async throws {
            _ = try await box.answer("stop")
            let before = try await box.counter("/stage/picturesPresented")
            _ = try await box.answer("tune", target.name)
            var (shown, isHeard, why) = (Int64(0), false, "")
            _ = try await eventually(within: .seconds(12)) {
                shown = try await box.counter("/stage/picturesPresented") - before
                // The tone is at -18 dB.
                let peak = try await box.counter("/sessionSound/peakCentidecibels")
                isHeard = !row.isHeard || (-3_000 ..< -1).contains(peak)
                why = try await box.answer("status")["noPictureBecause"]?.string ?? ""
                return switch row.expectation {
                case .plays: shown > row.least && isHeard
                case .says(let words): why.contains(words)
                }
            }
            print("\(row.name): \(shown) pictures \(why)")
            switch row.expectation {
            case .plays:
                #expect(shown > row.least && why.isEmpty, "\(row.name): \(shown) pictures, \(why)")
                #expect(isHeard, "\(row.name): no sound")
                // Pictures with gaps in them are shown, too.
                let damaged = try await box.counter("/playback/damagedVideoUnits")
                #expect(damaged < 5, "\(row.name): \(damaged) of \(shown) pictures are damaged")
            case .says(let words): #expect(why.contains(words), "\(row.name): \(shown) pictures, \(why)")
            }
        }

        private static let parity = [UInt8](repeating: 0x47, count: 16)
        private static let framings: [(row: Row, framing: StreamFraming)] = [
            (Row(name: "1 packet to a datagram", expectation: .plays), StreamFraming(packetsPerDatagram: 1)),
            (Row(name: "3 packets", expectation: .plays), StreamFraming(packetsPerDatagram: 3)),
            (
                Row(name: "5 packets, bare", expectation: .plays),
                StreamFraming(payloadType: nil, packetsPerDatagram: 5)
            ),
            (Row(name: "20 packets", expectation: .plays), StreamFraming(packetsPerDatagram: 20)),
            (
                // At 237 datagrams a second both come within the fourth second.
                Row(name: "sequence numbers and time stamps wrap", expectation: .plays, least: 150),
                StreamFraming(sequence: 65_535 - 750, firstTicks: .max - 3 * 90_000)
            ),
            (Row(name: "header extension and padding", expectation: .plays), StreamFraming(isPadded: true)),
            (Row(name: "payload type 96", expectation: .plays), StreamFraming(payloadType: 96)),
            (
                Row(name: "each datagram twice, bare", expectation: .plays),
                StreamFraming(payloadType: nil, copies: 2)
            ),
            (
                Row(name: "packets cut by datagrams of 1,472 octets", expectation: .plays),
                StreamFraming(payloadType: nil, cutLength: 1_472)
            ),
            (
                Row(name: "time stamps with another prefix", expectation: .plays),
                StreamFraming(change: { packet in
                    guard packet.startsUnit, packet.pid == 0x100 || packet.pid == 0x101 else { return }
                    packet.octets[packet.payloadStart + 9] |= 0x80
                })
            ),
            (
                Row(name: "the map's last entry reaches beyond it", expectation: .plays),
                StreamFraming(change: { packet in
                    guard packet.startsUnit, packet.pid == StreamFault.map else { return }
                    packet.changeSection { section in
                        let sound = StreamFault.entry(of: StreamFault.sound, in: section)
                        if let last = sound ?? StreamFault.entry(of: StreamFault.video, in: section) {
                            section[last + 4] = 200
                        }
                    }
                })
            ),
            (
                Row(name: "pictures listed as private data", expectation: .plays),
                StreamFraming(change: { list($0.pid == StreamFault.map, as: 0x06, &$0) })
            ),
            (
                Row(name: "H.264 listed as MPEG-2", expectation: .plays),
                StreamFraming(change: { list($0.pid == StreamFault.map, as: 0x02, &$0) })
            ),
            (
                Row(name: "time stamps at random-access points alone", expectation: .plays, least: 75),
                StreamFraming(change: { packet in
                    guard packet.startsUnit, packet.pid == 0x100, !packet.isRandomAccess else { return }
                    packet.octets[packet.payloadStart + 7] &= 0x3F
                })
            ),
            (
                Row(name: "204 octets, bare", expectation: .plays),
                StreamFraming(payloadType: nil, behind: parity)
            ),
            (Row(name: "204 octets in RTP", expectation: .plays), StreamFraming(packetsPerDatagram: 6, behind: parity)),
            (
                Row(name: "192 octets, bare", expectation: .plays),
                StreamFraming(payloadType: nil, before: [0, 1, 2, 3])
            ),
            (Row(name: "192 octets in RTP", expectation: .plays), StreamFraming(before: [0, 1, 2, 3])),
            (
                Row(
                    name: "payload type 96, announced as 33", settings: ["encapsulation": "rtp"],
                    expectation: .says("payload type")), StreamFraming(payloadType: 96)
            ),
            (
                Row(name: "RTP without a transport stream", expectation: .says("no stream")),
                StreamFraming(change: { $0.octets[0] = 0x11 })
            ),
            (
                Row(name: "scrambled", expectation: .says("scrambled")),
                StreamFraming(change: { if $0.pid == 0x100 || $0.pid == 0x101 { $0.octets[3] |= 0x80 } })
            ),
            (
                Row(name: "without tables", expectation: .says("no PAT")),
                StreamFraming(change: { if $0.pid == 0 { $0 = .null } })
            ),
            (
                Row(name: "three of four lost", expectation: .says("lost")),
                StreamFraming(isLost: { $0 % 4 != 0 })
            ),
        ]

        /// Says in the map that the pictures are of another stream_type.
        private static func list(_ isMap: Bool, as type: UInt8, _ packet: inout TransportPacket) {
            guard isMap, packet.startsUnit else { return }
            packet.changeSection { section in
                if let entry = StreamFault.entry(of: StreamFault.video, in: section) { section[entry] = type }
            }
        }

        /// Framings that no sender of ours makes, and faults of head-ends.
        @Test func framings() async throws {
            try await TestVenue.open { venue in
                let file = try TransportStreamFile(try await CountedVideo.make(in: venue))
                let two = try TransportStreamFile(try await TwoProgrammes.make(in: venue))
                let rows = (Self.framings + Self.multiplexes).map { row, framing in
                    (row, framing, StreamTarget(name: row.name))
                }
                let (programmes, silent) = (
                    StreamTarget(name: "two programmes in RTP"), StreamTarget(name: "nothing at all")
                )
                let channels =
                    rows.map { row, _, target in target.json(row.settings) } + [programmes.json([:]), silent.json([:])]
                let box = try await BoxProcess(["channels": .array(channels)], in: venue)
                for (row, framing, target) in rows {
                    let sender = try FramedSender(file, framing, to: target.group)
                    defer { sender.end() }
                    try await check(row, at: target, on: box)
                }
                let sender = try FramedSender(two, StreamFraming(), to: programmes.group)
                defer { sender.end() }
                try await check(Row(name: programmes.name, expectation: .plays), at: programmes, on: box)
                try await check(
                    Row(name: silent.name, expectation: .says("nothing arrives")), at: silent, on: box)
                try Peer.ffmpeg.log(test: #function, checks: rows.count + 2)
            }
        }

        /// A sender that is replaced by one of the other form while the channel plays: nobody has to tune again.
        @Test(arguments: [33, nil] as [UInt8?]) func anotherForm(first: UInt8?) async throws {
            try await TestVenue.open { venue in
                let file = try TransportStreamFile(try await CountedVideo.make(in: venue))
                let target = StreamTarget(name: "One")
                let box = try await BoxProcess(["channels": [target.json([:])]], in: venue)
                let before = try FramedSender(file, StreamFraming(payloadType: first), to: target.group)
                try await check(Row(name: "the form before", expectation: .plays), at: target, on: box)
                before.end()
                let after = try FramedSender(
                    file, StreamFraming(payloadType: first == nil ? 33 : nil), to: target.group)
                defer { after.end() }
                let shown = try await box.counter("/stage/picturesPresented")
                let plays = try await eventually(within: .seconds(3)) {
                    try await box.counter("/stage/picturesPresented") - shown > 25
                }
                #expect(plays)
                try Peer.ffmpeg.log(test: #function, checks: 2)
            }
        }

        /// Two senders of different streams to one group and port: the first is played until it stops, and both are named.
        @Test(arguments: [33, nil] as [UInt8?]) func twoSenders(payloadType: UInt8?) async throws {
            try await TestVenue.open { venue in
                let file = try TransportStreamFile(try await CountedVideo.make(in: venue))
                let other = try TransportStreamFile(try await TwoProgrammes.make(in: venue))
                let target = StreamTarget(name: "One")
                let box = try await BoxProcess(["channels": [target.json([:])]], in: venue)
                let events = try box.events()
                let first = try FramedSender(file, StreamFraming(payloadType: payloadType), to: target.group)
                try await check(Row(name: "the first alone", expectation: .plays), at: target, on: box)
                let second = try FramedSender(
                    other, StreamFraming(payloadType: payloadType, sequence: 40_000, firstTicks: 1 << 31),
                    to: target.group)
                defer { second.end() }
                let before = try await box.counters("/stage/picturesPresented", "/playback/damagedVideoUnits")
                try await Task.sleep(for: .seconds(4))
                let after = try await box.counters("/stage/picturesPresented", "/playback/damagedVideoUnits")
                #expect(after[0] - before[0] > 75 && after[1] - before[1] <= 1, "\(before) \(after)")
                #expect(try await box.counter("/reception/foreignSSRC") > 100)
                _ = try await events.next("channels.secondSender", within: .seconds(3))
                let findings = try await box.answer("diagnose").text()
                #expect(findings.contains("two senders send at the same time"), "\(findings)")
                first.end()
                let shown = try await box.counter("/stage/picturesPresented")
                let plays = try await eventually(within: .seconds(5)) {
                    try await box.counter("/stage/picturesPresented") - shown > 50
                }
                #expect(plays)
                try Peer.ffmpeg.log(test: #function, checks: 6)
            }
        }

        private static let picture = ["-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"]
        private static let tone = ["-re", "-f", "lavfi", "-i", "sine=440:sample_rate=48000"]
        private static let x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p"]

        /// Streams as ffmpeg makes them.
        @Test func codings() async throws {
            let film = ["-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24000/1001"]
            let rows: [(row: Row, command: [String])] = [
                (
                    Row(name: "as everybody types it", encapsulation: .raw, isSized: false, expectation: .plays),
                    Self.picture + Self.tone + Self.x264
                ),
                (Row(name: "23.976 pictures a second", expectation: .plays), film + Self.x264),
                (
                    Row(name: "a slide show", expectation: .plays, least: 3),
                    ["-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=1/2"] + Self.tone
                        + [
                            "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-x264-params",
                            "keyint=1", "-pix_fmt", "yuv420p",
                        ]
                ),
                (
                    Row(name: "MBAFF", expectation: .plays),
                    Self.picture + ["-c:v", "libx264", "-g", "25", "-flags", "+ilme+ildct", "-pix_fmt", "yuv420p"]
                ),
                (
                    Row(name: "H.264 of 10 bits", expectation: .plays),
                    Self.picture + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p10le"]
                ),
                (
                    Row(name: "HEVC of 10 bits", expectation: .plays),
                    Self.picture + ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le"]
                        + ["-x265-params", "keyint=25:log-level=error"]
                ),
                (
                    Row(name: "AAC in LATM", expectation: .plays),
                    Self.picture + Self.tone + Self.x264 + ["-c:a", "aac", "-mpegts_flags", "latm"]
                ),
                (
                    Row(name: "two programmes", encapsulation: .raw, expectation: .plays),
                    Self.picture + Self.picture + ["-map", "0:v", "-map", "1:v"] + Self.x264
                        + ["-program", "title=A:st=0", "-program", "title=B:st=1"]
                ),
                (
                    Row(name: "H.264 without parameter sets", expectation: .says("parameter sets")),
                    Self.picture + Self.x264 + ["-bsf:v", "filter_units=remove_types=7-8"]
                ),
                (
                    Row(name: "MPEG-4 visual", expectation: .says("cannot decode MPEG-4 visual")),
                    Self.picture + ["-c:v", "mpeg4", "-g", "25"]
                ),
            ]
            try await TestVenue.open { venue in
                let targets = rows.map { StreamTarget(name: $0.row.name, encapsulation: $0.row.encapsulation) }
                let box = try await BoxProcess(["channels": .array(targets.map { $0.json([:]) })], in: venue)
                for ((row, command), target) in zip(rows, targets) {
                    let sender = try venue.start(
                        ["ffmpeg", "-nostdin", "-loglevel", "error"] + command + target.output(isSized: row.isSized),
                        name: "ffmpeg")
                    try await check(row, at: target, on: box)
                    try await sender.end()
                }
                try Peer.ffmpeg.log(test: #function, checks: rows.count)
            }
        }

        /// Other senders, of which the box knows the group and nothing else.
        @Test(
            .enabled(
                if: Peer.gstreamer.isThere && Peer.vlc.isThere && Peer.multicat.isThere && Peer.dvblast.isThere
                    && Peer.hasNamespaces))
        func senders() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let video = try await CountedVideo.make(in: venue)
                let senders = [
                    (Peer.gstreamer, StreamTarget(name: "GStreamer")), (.vlc, StreamTarget(name: "VLC")),
                    (.multicat, StreamTarget(name: "multicat")), (.dvblast, StreamTarget(name: "DVBlast")),
                ]
                let channels = senders.map { $0.1.json([:]) }
                let box = try await BoxProcess(["channels": .array(channels)], in: venue)
                let source = StreamTarget(name: "two programmes", encapsulation: .raw)
                for (peer, target) in senders {
                    let sender: ChildProcess
                    if peer == .dvblast {
                        try TwoProgrammes.start(to: source, in: venue)
                        sender = try TwoProgrammes.startDVBlast(sending: 102, of: source, to: target, in: venue)
                    } else {
                        let command = try await command(of: peer, to: target.group, video, in: venue)
                        sender = try venue.start(command, name: target.name)
                    }
                    try await check(Row(name: target.name, expectation: .plays), at: target, on: box)
                    try await sender.end()
                    try peer.log(test: #function, checks: 1)
                }
            }
        }

        private func command(
            of peer: Peer, to group: Group, _ video: CountedVideo, in venue: TestVenue
        ) async throws -> [String] {
            let (address, port) = (group.address, "\(group.port)")
            switch peer {
            case .gstreamer:
                let source = ["videotestsrc", "is-live=true", "!", "video/x-raw,width=320,height=180,framerate=25/1"]
                let coder = ["!", "x265enc", "key-int-max=25", "tune=zerolatency", "speed-preset=ultrafast", "!"]
                let stream = ["h265parse", "config-interval=-1", "!", "mpegtsmux", "alignment=7"]
                let sink = ["!", "rtpmp2tpay", "!", "udpsink", "host=\(address)", "port=\(port)"]
                return ["gst-launch-1.0", "-q"] + source + coder + stream + sink + ["multicast-iface=lo"]
            case .vlc:
                let home = try FileManager.default.nobodysHome(in: venue.directory)
                return [
                    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=\(home)", "cvlc", "-I",
                    "dummy", "--repeat", video.path, "--sout", "#rtp{dst=\(address),port=\(port),mux=ts,ttl=1}",
                ]
            default:
                // multicat reads a stream with a table of its times beside it.
                let file = venue.directory.file("multicat.ts")
                try FileManager.default.copyItem(atPath: video.path, toPath: file)
                try await venue.succeed(["ingests", "-p", "256", file])
                return ["multicat", "-u", "-t", "1", file, "\(address):\(port)"]
            }
        }
    }
}

extension StreamTarget {
    /// An entry of the settings' `channels` that leaves it to the box how the stream comes.
    fileprivate func json(_ more: JSONValue) -> JSONValue {
        group.json.merging(patch: ["name": .string(name)]).merging(patch: more)
    }
}
