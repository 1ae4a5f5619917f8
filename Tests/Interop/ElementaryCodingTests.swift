// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// Codings of RTP sessions of their own, as ffmpeg and GStreamer send them: seen and heard as they were sent. Of
    /// ffmpeg's H.264 and AAC see `ElementaryStreamTests`.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct ElementaryCodingTests {
        /// Of the films, which `CodecMatrixTests` play too.
        private static let seconds = 30

        /// Two sessions of one sender.
        struct Row: Sendable, CustomTestStringConvertible {
            let peer: Peer
            let pictures: PictureCoding
            let sound: SoundCoding
            var testDescription: String { "\(peer.rawValue), \(pictures) with \(sound)" }

            static let all = [
                Row(peer: .ffmpeg, pictures: .hevc, sound: .latm), Row(peer: .ffmpeg, pictures: .mpeg2, sound: .mp2),
                Row(peer: .ffmpeg, pictures: .hevc, sound: .opus), Row(peer: .gstreamer, pictures: .hevc, sound: .ac3),
                Row(peer: .gstreamer, pictures: .mpeg2, sound: .latm),
                Row(peer: .gstreamer, pictures: .h264, sound: .aac),
                Row(peer: .gstreamer, pictures: .hevc, sound: .opus),
                Row(peer: .gstreamer, pictures: .mpeg2, sound: .mp2),
            ]
        }

        /// A box, who announces to it, and what it has shown so far.
        private struct Scene {
            let venue: TestVenue
            let box: BoxProcess
            let soundPath: String
            let announcer: DatagramSender
            var shots: [PictureCoding: [String]] = [:]

            init(in venue: TestVenue) async throws {
                self.venue = venue
                let group = Group()
                soundPath = venue.directory.file("heard.wav")
                announcer = try DatagramSender(to: group)
                box = try await BoxProcess(
                    [
                        "announcements": ["groups": [group.json]],
                        "sound": ["kind": "wav", "wavPath": .string(soundPath)],
                    ], in: venue)
            }

            /// Starts a sender and announces what it sends.
            func start(_ row: Row, number: Int, _ films: (video: String, tone: String)) async throws -> ChildProcess {
                let group = Group()
                let description = venue.directory.file("\(number).sdp")
                let command =
                    row.peer == .ffmpeg
                    ? ffmpeg(row, films, to: group, describing: description) : gstreamer(row, films, to: group)
                let sender = try venue.start(command, name: "\(row.peer.rawValue)-\(number)")
                var text = row.gstreamerDescription(group)
                if row.peer == .ffmpeg {
                    _ = try await eventually(within: .seconds(5)) {
                        text = (try? String(contentsOfFile: description, encoding: .utf8)) ?? ""
                        return text.hasSuffix("\n")
                    }
                    text = String(text[(text.range(of: "v=0")?.lowerBound ?? text.startIndex)...])
                }
                text = text.replacingOccurrences(of: "o=- 0 ", with: "o=- \(number + 1) ")
                    .replacingOccurrences(of: "s=No Name", with: "s=Row \(number)")
                try announcer.send(AnnouncementMaker.packet(text, type: "application/sdp"))
                return sender
            }

            /// Tunes what is announced, and waits until it is seen and heard.
            mutating func play(_ row: Row, number: Int) async throws {
                try await box.awaitChannel("Row \(number)")
                _ = try await box.answer("tune", "Row \(number)")
                let before = try await box.counter("/stage/picturesPresented")
                let silent = try recordedOctets
                let sounds = try await eventually(within: .seconds(12)) {
                    guard try await box.counter("/stage/picturesPresented") - before > 12 else { return false }
                    // The clock finds its place first, and sound is a little slower or faster until then.
                    return try recordedOctets > silent + 4 * 48_000 && Self.isTone(try lastHalfSecond)
                }
                let tone = ToneAnalysis(try lastHalfSecond, nominal: Double(SoundCoding.hertz))
                let status = try await box.answer("status").text()
                #expect(sounds, "\(row.testDescription): \(tone), \(status)")
                shots[row.pictures, default: []].append(try await box.screenshot("shot-\(number).png"))
                try row.peer.log(test: "elementaryCodings", checks: 2)
            }

            private var recordedOctets: UInt64 {
                get throws {
                    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: soundPath))
                    defer { try? file.close() }  // it was only read
                    return try file.seekToEnd()
                }
            }

            /// The end of the recording, of two channels of 16 bits; all of it would take long to read each time.
            private var lastHalfSecond: WAVRecording {
                get throws {
                    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: soundPath))
                    defer { try? file.close() }  // it was only read
                    let head = try file.read(upToCount: WAVRecording.headerOctets) ?? Data()
                    let length = (try file.seekToEnd() - UInt64(head.count)) / 4 * 4
                    let start = UInt64(head.count) + length - min(length, 4 * 24_000)
                    try file.seek(toOffset: start)
                    return try WAVRecording(Array(head + (try file.read(upToCount: 4 * 24_000) ?? Data())))
                }
            }

            private static func isTone(_ recording: WAVRecording) -> Bool {
                let tone = ToneAnalysis(recording, nominal: Double(SoundCoding.hertz))
                return abs(tone.frequency - Double(SoundCoding.hertz)) < 8 && tone.amplitude > 0.2 && tone.gaps.isEmpty
            }

            /// ffmpeg describes both of its outputs in one file.
            private func ffmpeg(
                _ row: Row, _ films: (video: String, tone: String), to group: Group, describing file: String
            ) -> [String] {
                let place = { (port: Int) in
                    "rtp://\(group.address):\(port)?ttl=1&localaddr=127.0.0.1&pkt_size=1400"
                }
                let flags = row.sound == .latm ? ["-rtpflags", "latm"] : []
                return ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-i", films.video, "-re", "-i", films.tone]
                    + ["-map", "0", "-c", "copy", "-f", "rtp", "-sdp_file", file, place(group.port)]
                    + ["-map", "1", "-c", "copy", "-f", "rtp"] + flags + [place(group.port + 2)]
            }

            private func gstreamer(_ row: Row, _ films: (video: String, tone: String), to group: Group) -> [String] {
                let sink = { (port: Int) -> [String] in
                    ["!", "udpsink", "host=\(group.address)", "port=\(port)", "multicast-iface=lo"]
                }
                let branch = { (path: String, payloader: [String], port: Int) -> [String] in
                    ["filesrc", "location=\(path)", "!", "matroskademux", "!"] + payloader + sink(port)
                }
                return ["gst-launch-1.0", "-q"] + branch(films.video, row.pictures.payloader, group.port)
                    + branch(films.tone, row.sound.payloader, group.port + 2)
            }
        }

        @Test func playsEachCoding() async throws {
            try await TestVenue.open { venue in
                var (videos, tones): ([PictureCoding: CountedVideo], [SoundCoding: String]) = ([:], [:])
                let rows = Row.all.filter { $0.peer == .ffmpeg || Peer.gstreamer.isThere }
                for row in rows {
                    videos[row.pictures] = try await CountedVideo.make(row.pictures, seconds: Self.seconds, in: venue)
                    tones[row.sound] = try await row.sound.makeTone(seconds: Self.seconds, in: venue)
                }
                var scene = try await Scene(in: venue)
                // A sender has started when its turn comes.
                var senders: [ChildProcess] = []
                for (number, row) in rows.enumerated() {
                    for next in senders.count..<min(number + 2, rows.count) {
                        let row = rows[next]
                        let video = try #require(videos[row.pictures])
                        let tone = try #require(tones[row.sound])
                        senders.append(try await scene.start(row, number: next, (video.path, tone)))
                    }
                    try await scene.play(row, number: number)
                    try await senders[number].end()
                }
                for (coding, paths) in scene.shots {
                    guard let video = videos[coding] else { continue }
                    let shots = try await Screenshots(paths, in: venue)
                    let worst = try await shots.likeness(to: video).values.min() ?? 0
                    let areNumbered = shots.numbers.allSatisfy { $0 != nil }
                    #expect(areNumbered && worst >= 0.98, "\(coding): \(shots.numbers), \(worst)")
                }
                let rests = try await scene.box.counters(
                    "/playback/decodeErrors", "/sound/decodeErrors", "/stage/drawErrors",
                    "/reception/malformedDatagrams", "/lineUp/announcementsUnplayable")
                #expect(rests.allSatisfy { $0 == 0 }, "\(rests)")
            }
        }
    }
}

extension Interop.ElementaryCodingTests.Row {
    /// What GStreamer's payloaders say of themselves (`gst-launch-1.0 -v`), as a session description.
    fileprivate func gstreamerDescription(_ group: Group) -> String {
        let lines =
            ["v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=No Name", "c=IN IP4 \(group.address)/1", "t=0 0"]
            + pictures.gstreamerDescription(group.port) + sound.gstreamerDescription(group.port + 2)
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension PictureCoding {
    fileprivate var payloader: [String] {
        switch self {
        case .h264: ["h264parse", "!", "rtph264pay", "config-interval=1"]
        case .hevc: ["h265parse", "!", "rtph265pay", "config-interval=1", "aggregate-mode=max"]
        case .mpeg2: ["mpegvideoparse", "!", "rtpmpvpay"]
        }
    }

    fileprivate func gstreamerDescription(_ port: Int) -> [String] {
        switch self {
        case .h264: ["m=video \(port) RTP/AVP 96", "a=rtpmap:96 H264/90000"]
        case .hevc: ["m=video \(port) RTP/AVP 96", "a=rtpmap:96 H265/90000"]
        case .mpeg2: ["m=video \(port) RTP/AVP 32"]
        }
    }
}

extension SoundCoding {
    fileprivate var payloader: [String] {
        switch self {
        case .aac: ["aacparse", "!", "rtpmp4gpay"]
        case .latm: ["aacparse", "!", "rtpmp4apay"]
        case .mp2: ["mpegaudioparse", "!", "rtpmpapay"]
        case .ac3: ["ac3parse", "!", "rtpac3pay"]
        case .opus: ["opusparse", "!", "rtpopuspay"]
        }
    }

    fileprivate func gstreamerDescription(_ port: Int) -> [String] {
        let first = "m=audio \(port) RTP/AVP"
        return switch self {
        case .aac: ["\(first) 96", "a=rtpmap:96 mpeg4-generic/48000/2", "a=fmtp:96 mode=AAC-hbr; config=1190"]
        case .latm: ["\(first) 96", "a=rtpmap:96 MP4A-LATM/48000", "a=fmtp:96 cpresent=0; config=40002320adca00"]
        case .mp2: ["\(first) 14"]
        case .ac3: ["\(first) 96", "a=rtpmap:96 AC3/48000"]
        case .opus: ["\(first) 96", "a=rtpmap:96 OPUS/48000/2", "a=fmtp:96 sprop-stereo=1"]
        }
    }
}
