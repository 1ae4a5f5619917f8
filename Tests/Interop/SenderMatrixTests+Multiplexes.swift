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

    /// A standard asks for a time stamp each 0.7 s, and of old encoders no more come.
    @Test func picturesWithoutTimeStamps() async throws {
        try await Interop.sideBySide([PictureCoding.h264, .mpeg2]) { coding in
            try await TestVenue.open { venue in
                let path = try await venue.film(
                    "unstamped",
                    ["-f", "lavfi", "-i", CountedVideo.picture, "-t", "20"] + coding.arguments + [
                        "-b:v", "1500k", "-maxrate", "1800k", "-bufsize", "900k", "-pix_fmt", "yuv420p", "-muxrate",
                        "\(CountedVideo.kilobits)k", "-f", "mpegts",
                    ])
                let video = CountedVideo(path: path, frameCount: 500)
                let target = StreamTarget()
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                let file = try TransportStreamFile(video).stampingRandomAccessPointsAlone()
                let sender = try StreamSender(file, to: target.group)
                defer { sender.end() }
                try await box.tune("One")
                try await Task.sleep(for: .seconds(2))
                let socket = try ControlSocket(box.socket)
                let (began, before) = (ControlSocket.now(), try await box.counter("/stage/picturesPresented"))
                let looks = try await CounterLooks.take(30, of: socket, in: venue)
                let shown = try await box.counter("/stage/picturesPresented") - before
                let due = (ControlSocket.now() - began) * Double(CountedVideo.rate)
                // In their order, each at its time, and all of them: a third was lost.
                #expect(looks.isSteady && looks.looks.count == 30, "\(coding): \(looks)")
                #expect(Double(shown) >= 0.9 * due, "\(coding): \(shown) pictures, \(due) were due")
                try Peer.ffmpeg.log(test: #function, checks: 2)
            }
        }
    }

    /// Sound for the blind stands first in the map, as broadcasters mark it, and the programme's own second.
    @Test func audioDescription() async throws {
        let language: [UInt8] = [0x0A, 4] + Array("eng".utf8)
        let rows: [(name: String, descriptors: [UInt8])] = [
            ("audio_type 3", language + [3]),
            ("supplementary_audio_descriptor", language + [0, 0x7F, 2, 0x06, 0x05]),
            ("supplementary_audio_descriptor with a language", [0x7F, 5, 0x06, 0x87] + Array("eng".utf8)),
            ("language NAR", [0x0A, 4] + Array("NAR".utf8) + [0]),
        ]
        try await TestVenue.open { venue in
            let video = try await CountedVideo.makeWithSecondSound(in: venue)
            let file = try TransportStreamFile(video)
            let targets = rows.map { StreamTarget(name: $0.name) }
            let box = try await BoxProcess(["channels": .array(targets.map(\.json))], in: venue)
            for (row, target) in zip(rows, targets) {
                let framing = StreamFraming(change: { packet in
                    Self.describe(&packet, StreamFault.sound, row.descriptors)
                    Self.describe(&packet, StreamFault.sound + 1, language + [0])
                })
                let sender = try FramedSender(file, framing, to: target.group)
                defer { sender.end() }
                // The description is silent, and the programme has a tone.
                try await check(Row(name: row.name, expectation: .plays, isHeard: true), at: target, on: box)
            }
            try Peer.ffmpeg.log(test: #function, checks: rows.count)
        }
    }

    /// The type that is DTS of some, and subtitles of cable (SCTE 27): it is no sound that the box cannot play.
    @Test func subtitlesOfCable() async throws {
        try await TestVenue.open { venue in
            let file = try TransportStreamFile(try await CountedVideo.make(in: venue))
            let target = StreamTarget()
            let box = try await BoxProcess(["channels": [target.json]], in: venue)
            let events = try box.events()
            let framing = StreamFraming(change: { packet in
                Self.changeMap(&packet, at: StreamFault.sound) { section, entry in
                    let language: [UInt8] = [0x0A, 4] + Array("eng".utf8) + [0]
                    section.insert(contentsOf: [0x82, 0xE1, 0x60, 0xF0, UInt8(language.count)] + language, at: entry)
                }
            })
            let sender = try FramedSender(file, framing, to: target.group)
            defer { sender.end() }
            try await check(Row(name: "subtitles", expectation: .plays, isHeard: true), at: target, on: box)
            let told = try events.rest().map { $0["type"]?.string ?? "" }
            #expect(told.contains("video.channelState") && !told.contains("video.streamUnsupported"), "\(told)")
            try Peer.ffmpeg.log(test: #function, checks: 2)
        }
    }

    /// A pixel a hundred times as high as wide: nobody has one, and the picture is shown as if nothing were said.
    @Test(arguments: ["1/100", "200/1"]) func pixelsThatNobodyHas(aspect: String) async throws {
        try await TestVenue.open { venue in
            let video = try await CountedVideo.make(in: venue)
            let path = venue.directory.file("aspect.ts")
            try await venue.succeed(
                CountedVideo.ffmpeg + [
                    "-i", video.path, "-c", "copy", "-bsf:v", "h264_metadata=sample_aspect_ratio=\(aspect)", "-muxrate",
                    "\(CountedVideo.kilobits)k", path,
                ])
            let target = StreamTarget()
            let box = try await BoxProcess(["channels": [target.json]], in: venue)
            let file = try TransportStreamFile(CountedVideo(path: path, frameCount: video.frameCount))
            let sender = try StreamSender(file, to: target.group)
            defer { sender.end() }
            try await box.tune("One")
            try await Task.sleep(for: .seconds(1))
            let looks = try await CounterLooks.take(10, of: try ControlSocket(box.socket), in: venue).looks
            // Whole, so that their numbers can be read, and moving; when each comes, others look at.
            let numbers = looks.map(\.number)
            #expect(numbers.count == 10 && numbers == numbers.sorted() && numbers[0] < numbers[9], "\(numbers)")
            try Peer.ffmpeg.log(test: #function, checks: 1)
        }
    }

    /// Puts these in the place of a stream's descriptors in the map.
    private static func describe(_ packet: inout TransportPacket, _ pid: Int, _ descriptors: [UInt8]) {
        changeMap(&packet, at: pid) { section, entry in
            let length = Int(section[entry + 3] & 0x0F) << 8 | Int(section[entry + 4])
            section.replaceSubrange(
                entry + 3..<entry + 5 + length, with: [0xF0, UInt8(descriptors.count)] + descriptors)
        }
    }
}

extension CountedVideo {
    /// Silence is its first sound, a tone the second.
    fileprivate static func makeWithSecondSound(in venue: TestVenue) async throws -> CountedVideo {
        let path = try await venue.film(
            "sounds",
            [
                "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono", "-f", "lavfi", "-i",
                "sine=frequency=440:sample_rate=48000", "-map", "0", "-map", "1", "-map", "2", "-t", "20",
            ] + PictureCoding.h264.arguments + [
                "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k", "-muxrate", "\(kilobits)k", "-f", "mpegts",
            ])
        return CountedVideo(path: path, frameCount: 20 * rate)
    }
}
