// SPDX-License-Identifier: Apache-2.0
import Bytes
import Certificates
import DataMessages
import ErasureCoding
import Foundation
import Media
import RTP
import SignedEnvelopes
import TestSupport
import Time
import TransportStream

/// Real input for each parser, from the vectors and documents of this checkout.
struct Corpus {
    private let root: URL

    /// - Parameter root: of the checkout.
    init(root: URL) { self.root = root }

    /// - Parameter name: of a fuzz entry, or `WholeStream.name`.
    func inputs(for name: String) throws -> [[UInt8]] {
        switch name {
        case "Alert": alerts
        case "Announcement": try files("config/announcements", "json")
        case "AudioSpecificConfig": configurations
        case "CommandWords": typedLines
        case "BoardDecoders": try boards.flatMap { try files("board/\($0)", "json") }
        case "CaptureRequest": captureRequests
        case "Certificate": [try certificate()]
        case "ChecksumManifest": seals
        case "CompanionScreens": companionMessages
        case "CompressedSAP": try announcements().map { Array($0.dropFirst(8)) }
        case "Console": visits
        case "ControlSession": lines()
        case "Credentials": credentials
        case "DataMessages": [try messages()]
        case "Discovery": discoveryMessages
        case "EDID": try vectors("Tests/DisplayTests/Vectors")
        case "EnrolmentAnswer": enrolmentAnswers
        case "EnrolmentRequest": enrolmentRequests
        case "EventInformation": [events(), times()].map { Array($0.dropLast(4)) }
        case "H264Parameters": parameterSets() + [Array(try stream().dropFirst(4))]
        case "HTTP": requests()
        case "HTTPAnswer": answers
        case "JSON": try files("config/examples", "json") + files("config", "json")
        case "SAP", "LineUp": try announcements() + files("config/announcements", "json").map(announced)
        case "SDP": try announcements().compactMap(description)
        case "TransportStream": try streams(packets: 28)
        case "ElementaryStream": try streams(packets: 11) + [try fwht()] + parameterSets() + [events()]
        case WholeStream.name: try streams(packets: 200)
        case "Echo": echoes
        case "Netlink": [links]
        case "NetworkRequest": try networkRequests
        case "NetworkTables": networkTables
        case "Uevent": uevents
        case "Wireless": radioMessages
        case "Parity": [parity()]
        case "ParityDetector": [parity(media: 0xfd, columns: 2, rows: 3, count: 96)]
        case "ProtectionWindows": [protectedPackets]
        case "ReportAnswer": reportAnswers
        case "ReportBatch": reportBatches
        case "RTP": try packets()
        case "RTPPayload": [pictures(), hevcPictures(), video()] + interleaved + sounds
        case "SenderReport": [report]
        case "InputLog": [try inputLog()]
        case "SignedCommand": [command.octets]
        case "SignedEnvelope": [envelope]
        case "SignedOrder": [order.octets]
        case "Recording": recordings
        case "Spool": spoolFiles
        default: throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "no corpus for \(name)"])
        }
    }

    /// What a box keeps of tokens and of the audit, and what requests show.
    private var credentials: [[UInt8]] {
        [
            #"""
            {"access":1,"claim":{"name":"anna","time":"2026-11-21T12:00:00Z"},"tokens":[{"name":"anna",
            "role":"administrator","created":"2026-11-21T12:00:00Z","expires":"2027-11-21T12:00:00Z",
            "digest":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}]}
            """#,
            #"{"sequence":7,"time":"2026-11-21T12:00:00Z","outcome":"refused","command":"login","count":8}"#,
            "Bearer tl-AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "a=1; s=abc; b=2", "touchline, bearer.abc",
        ].map { Array($0.utf8) }
    }

    private func certificate() throws -> [UInt8] {
        let made = try ServerCertificate.selfSigned(name: "box", hosts: (["box.example"], ["127.0.0.1"]))
        return Array((made.certificate + made.key).utf8)
    }

    private var order: SignedOrder {
        SignedOrder(
            target: .tag("vip"), revision: 7, base: 6, notBefore: WallTime(nanoseconds: 0),
            expires: WallTime(nanoseconds: .max / 2), confirmWithin: 60, comment: "louder",
            change: .merge(["sound": ["volume": 60]]))
    }

    private var command: SignedCommand {
        SignedCommand(
            target: .group("bar"), sequence: 7, sent: WallTime(nanoseconds: 1_795_262_400_000_000_000),
            actAt: WallTime(nanoseconds: 1_795_262_400_500_000_000),
            expires: WallTime(nanoseconds: 1_795_262_410_000_000_000), command: "tune",
            arguments: ["channel": "Arena"])
    }

    private var envelope: [UInt8] {
        let signature = SignedEnvelope.Signature(keyID: "bar-1", octets: [UInt8](repeating: 0xa5, count: 64))
        return SignedEnvelope(
            payloadType: SignedOrder.payloadType, payload: order.octets, signatures: [signature, signature]
        ).json.octets()
    }

    private var typedLines: [[UInt8]] {
        [
            #"tune "Arena One" --region main"#, #"ticker --text='5 \ 5' -- -7"#, #"channels --json --kind=video a\ b"#,
            "rewind 20000", "help tune",
        ].map { Array($0.utf8) }
    }

    /// What is typed at a console: keys, escape sequences, filters; and answers, as `fuzzConsole` reads them.
    private var visits: [[UInt8]] {
        let keys = "token\rsh st?a\t\u{1b}[A\u{1b}[1;5D\u{1b}OC\u{8}\u{17}\u{19}日本e\u{301}👍🏽\r"
        let lines = "stats | inc lost | exc \"x y\" | count\revents --follow\rterminal length 3\rtune \t"
        let (typed, given) = (Array(keys.utf8), Array("t\r\(lines)".utf8))
        let visits: [(head: UInt8, text: [UInt8], answers: [UInt8])] = [
            (0x18, typed, [0xf9, 0xf8, 0x20, 0x71, 0xfa]), (0x71, given, [0xf9, 0xfb]), (0x71, typed, [0xfa]),
            (0x51, given, [0xfe, 0x0d, 0xf9, 0xfb, 0xfc, 0xfc, 0xfd, 0x03, 0x04]),
        ]
        return visits.map { [$0.head] + $0.text + $0.answers }
    }

    private let boards = ["qemu-virt", "raspberry-pi-4", "rockpro64"]

    private var seals: [[UInt8]] {
        let digest = String(repeating: "0123456789abcdef", count: 4)
        return [Array("\(digest)  qemu-virt.json\n\(digest)  rockpro64.json\n".utf8)]
    }

    private func requests() -> [[UInt8]] {
        [
            "/v1/channels kind=video&favourites=true&group=bar */*\n", "/v1/events since=17\n", "/v1/picture fps=5&1\n",
            "/v1/tune  application/json\n{\"channel\":\"One\"}", "/v1/seek-absolute \n{\"ms\":-5,\"session\":null}",
            "/v1/screenshot  image/png;q=0.5,*/*;q=0.1\n", "/ \n", "/v1/status  */* LocalHost http://localhost\n",
        ].map { Array($0.utf8) }
    }

    /// As `fuzzControlSession` reads them, 16 octets at once: requests, then what is answered to such.
    private func lines() -> [[UInt8]] {
        [
            #"{"id":1,"command":"tune","arguments":{"channel":"One","region":null}}"# + "\r\n\n[]\n",
            #"{"id":3,"command":"events","arguments":{"follow":true}}"# + "\n" + #"{"id":"4"}"# + "\n",
            #"{"id":2,"command":"ticker","arguments":{"text":"\u00e9","pixelsPerSecond":125}}"# + "\n",
            #"{"id":1,"status":{"isOk":false,"errorString":"no","code":75}}"#, #"{"id":1,"dropped":7}"#,
        ].map { [16] + $0.utf8 }
    }

    /// As `fuzzDataMessages` reads them: of two sources, one message in pieces.
    private func messages() throws -> [UInt8] {
        var input: [UInt8] = []
        for source in UInt8(1)...2 {
            var writer = MessageWriter(payloadOctets: 256, firstSequence: .max)
            for count in [1, 600, 40] {
                let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                for payload in try writer.payloads(of: message, contentType: "text/plain") {
                    input += [source, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
                    input += payload
                }
            }
        }
        return input
    }

    /// What a kernel says of a link, of its address and that this was all.
    private var links: [UInt8] {
        let words: [UInt32] = [
            0x28, 0x0002_0010, 1, 0, 0x0304_0000, 1, 0x0001_0049, 0, 0x0003_0007, 0x0000_6f6c,  // lo, up
            0x20, 0x0002_0014, 1, 0, 0xfe80_0802, 1, 0x0001_0008, 0x0100_007f,  // 127.0.0.1
            0x14, 0x0002_0003, 1, 0, 0,
        ]
        return words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    }

    /// As `fuzzParity` reads it, and by these kinds `fuzzParityDetector`: packets of the media, some of which are lost, among
    /// their rows and columns.
    private func parity(media: UInt8 = 0, columns: UInt8 = 13, rows: UInt8 = 14, count: UInt8 = 24) -> [UInt8] {
        let encoder = ParityEncoder(columns: 4, rows: 2)
        var input: [UInt8] = []
        func add(_ kind: UInt8, _ packet: some Collection<UInt8>) {
            input += [kind, UInt8(packet.count)]
            input += packet
        }
        for index in 0..<count {
            var packet: [UInt8] = [0x80, 33, 0, index, 0, 0, index, 0, 0, 0, 0, 1]
            packet += (0..<40).map { index &* 7 ^ $0 }
            if index % 8 != 5 { add(media, packet) }
            packet.withUnsafeBytes { octets in
                _ = encoder.packetSent(octets) { add($1 == .columns ? columns : rows, $0) }
            }
        }
        return input
    }

    private let configurations: [[UInt8]] = [
        [0x11, 0x90], [0x2B, 0x11, 0x88, 0x00], [0x17, 0x80, 0x5D, 0xC0, 0x10], [0x11, 0x80, 0x04, 0xC8, 0x44, 0x00],
    ]

    /// A sender's report and description.
    private let report: [UInt8] = [
        0x80, 200, 0, 6, 1, 2, 3, 4, 0xE8, 1, 2, 3, 0x40, 0, 0, 0, 0xB1, 0x85, 0x0B, 0x2A, 0, 0, 0, 9, 0, 0, 16, 0,
        0x81, 202, 0, 2, 1, 2, 3, 4, 1, 1, 0x41, 0,
    ]

    /// Of x264: with the order of pictures told, and with the rates of a constant bit rate.
    private func parameterSets() -> [[UInt8]] {
        [
            "6764001eacd940a02ff97011000003000100000300320f162d96",
            "677a001ebcd180a02ff89c0440000003004000000c9810003d090007a13930c01e2c5a34",
        ].map { [UInt8](hexadecimal: $0) }
    }

    func files(_ folder: String, _ ending: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == ending }.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    /// Captured SAP datagrams.
    private func announcements() throws -> [[UInt8]] { try vectors("Tests/AnnouncementsTests/Vectors") }

    /// Of a screen, and of a sound card; "|" for zero.
    private let uevents: [[UInt8]] = [
        """
        change@/devices/pci0000:00/0000:00:02.0/drm/card0|SUBSYSTEM=drm|HOTPLUG=1|CONNECTOR=101|PROPERTY=5\
        |DEVNAME=dri/card0|SEQNUM=3821|
        """, "add@/devices/x/sound/card0/controlC0|ACTION=add|SUBSYSTEM=sound|DEVNAME=snd/controlC0|",
    ].map { $0.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 } }

    /// What files hold in hexadecimal digits, with comments.
    private func vectors(_ folder: String) throws -> [[UInt8]] {
        try files(folder, "hex").map { [UInt8](hexadecimal: String(decoding: $0, as: UTF8.self)) }
    }

    /// A SAP datagram around a JSON announcement, as facts about ffmpeg's have its header.
    private func announced(_ body: [UInt8]) -> [UInt8] {
        let type = Array("application/vnd.touchline.announcement+json".utf8) + [0]
        return [0x20, 0, 0x12, 0x34, 127, 0, 0, 1] + type + body
    }

    private func description(_ datagram: [UInt8]) -> [UInt8]? {
        let beginning = Array("v=0".utf8)
        return datagram.indices.dropLast(2).first { Array(datagram[$0..<$0 + 3]) == beginning }.map {
            Array(datagram[$0...])
        }
    }

    /// The beginning of one stream for each codec.
    private func streams(packets: Int) throws -> [[UInt8]] {
        try files("Tests/TransportStreamTests/Vectors", "ts").map { Array($0.prefix(188 * packets)) }
    }

    /// A picture's beginning.
    private func fwht() throws -> [UInt8] {
        Array(try Data(contentsOf: root.appendingPathComponent("Tests/CodecsTests/Vectors/bars.fwht")).prefix(400))
    }

    private func stream() throws -> [UInt8] {
        let file = root.appendingPathComponent("Tests/TransportStreamTests/Vectors/testsrc2.ts")
        return Array(try Data(contentsOf: file).prefix(188 * 28))
    }

    /// What is on now, as a section.
    private func events() -> [UInt8] {
        let event = EIT.Event(
            id: 1, start: WallTime(nanoseconds: 750_516_300_000_000_000), duration: .seconds(6_330),
            texts: [EventText(language: "eng", name: "News", summary: "of the day", details: "At length.")],
            genres: [0x2000], ratings: [ParentalRating(country: "GBR", value: 9)])
        return EIT(serviceID: 1, transportStreamID: 1, originalNetworkID: 1, sectionNumber: 0, events: [event])
            .section(version: 0)
    }

    /// When it is, in summer and in winter.
    private func times() -> [UInt8] {
        let now = WallTime(nanoseconds: 750_516_300_000_000_000)
        let offset = LocalTimeOffset(
            country: "GBR", region: 0, offset: .seconds(0), changesAt: now, nextOffset: .seconds(3_600))
        return TimeTable(utc: now, offsets: [offset]).section()
    }

    private func packets() throws -> [[UInt8]] {
        let stream = try stream()
        return (0..<4).map { index in
            var writer = WireWriter()
            RTPHeader.write(payloadType: 33, sequence: UInt16(index), timestamp: 7, ssrc: 9, to: &writer)
            writer.write(contentsOf: stream[index * 1_316..<(index + 1) * 1_316])
            return writer.bytes
        }
    }

    /// As `fuzzRTPPayload` reads them: parameter sets together, an IDR picture in fragments, another in one packet.
    private func pictures() -> [UInt8] {
        let part = (0..<60).map { UInt8($0) }
        let payloads: [(flags: UInt8, payload: [UInt8])] = [
            (2, [24, 0, 2, 0x67, 0x42, 0, 2, 0x68, 0xCE]), (0, [0x7C, 0x85, 0x88] + part), (0, [0x7C, 0x05] + part),
            (1, [0x7C, 0x45] + part), (3, [0x41, 0x9A] + part), (7, [0x41, 0x9A] + part), (11, [0x65, 0x88] + part),
        ]
        return payloads.flatMap { [$0.flags, UInt8($0.payload.count)] + $0.payload }
    }

    /// Likewise of HEVC: an aggregation packet, an IDR picture in fragments, others in single packets.
    private func hevcPictures() -> [UInt8] {
        let part = (0..<60).map { UInt8($0) }
        let sets: [UInt8] = [0x60, 1, 0, 3, 0x40, 1, 12, 0, 3, 0x42, 1, 1, 0, 3, 0x44, 1, 0xC0]
        let payloads: [(flags: UInt8, payload: [UInt8])] = [
            (2, sets), (0, [0x62, 1, 0x93, 0xAF] + part), (0, [0x62, 1, 0x13] + part), (1, [0x62, 1, 0x53] + part),
            (3, [2, 1, 0xD0] + part), (7, [2, 1, 0xD0] + part), (11, [42, 1, 0xAF] + part),
        ]
        return payloads.flatMap { [$0.flags, UInt8($0.payload.count)] + $0.payload }
    }

    /// Likewise with decoding order numbers: of H.264 STAP-B, FU-B with FU-A and both MTAP; of HEVC each kind of packet.
    private var interleaved: [[UInt8]] {
        let part = (0..<30).map { UInt8($0) }
        let scripts: [[(flags: UInt8, payload: [UInt8])]] = [
            [
                (2, [25, 0xFF, 0xFE, 0, 2, 0x67, 0x42, 0, 2, 0x68, 0xCE]), (0, [0x7D, 0x85, 0, 0, 0x88] + part),
                (1, [0x7C, 0x45] + part), (2, [26, 0, 2, 0, 2, 1, 0, 0, 0x41, 0x9A, 0, 2, 0, 0x0E, 0x10, 0x41, 0x9A]),
                (2, [27, 0, 4, 0, 2, 0, 0, 0, 9, 0x41, 0x9A]), (2, [25, 0, 5, 0, 32, 0x41, 0x9A] + part),
            ],
            [
                (2, [0x60, 1, 0, 0, 0, 3, 0x40, 1, 12, 0, 0, 3, 0x42, 1, 1, 0, 0, 3, 0x44, 1, 0xC0]),
                (0, [0x62, 1, 0x93, 0, 3, 0xAF] + part), (1, [0x62, 1, 0x53] + part), (2, [2, 1, 0, 5, 0xD0] + part),
                (2, [2, 1, 0, 4, 0xD0] + part), (2, [2, 1, 0, 6, 0xD0] + part),
            ],
        ]
        return scripts.map { $0.flatMap { [$0.flags, UInt8($0.payload.count)] + $0.payload } }
    }

    /// Likewise of MPEG video: headers and slices, the header of RFC 2250 with its extension for MPEG-2.
    private func video() -> [UInt8] {
        let part = (0..<60).map { UInt8($0) | 1 }
        let headers: [UInt8] = [0, 0, 1, 0xB3, 0x28, 1, 0x68, 0x13, 0xFF, 0xFF, 0xE0, 0x18, 0, 0, 1, 0, 0, 0x0F, 0xFF]
        let payloads: [(flags: UInt8, payload: [UInt8])] = [
            (2, [0, 0, 0x20, 0] + headers + [0, 0, 1, 1] + part), (1, [0, 0, 8, 0] + part),
            (2, [4, 0, 0x18, 0, 0x40, 0, 0, 1, 9, 9, 9, 9, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0x57, 0, 0, 1, 1] + part),
            (5, [0, 0, 0x18, 0, 0, 0, 1, 2] + part),
        ]
        return payloads.flatMap { [$0.flags, UInt8($0.payload.count)] + $0.payload }
    }

    /// Likewise of sound: of AAC two units in a packet, then one in two fragments; LATM, whose second element is in two
    /// packets; a frame of MPEG audio in two packets; AC-3; Opus.
    private var sounds: [[UInt8]] {
        let part = (0..<40).map { UInt8($0) }
        let scripts: [[(flags: UInt8, payload: [UInt8])]] = [
            [(3, [0, 32, 0, 0xA0, 0, 0xA0] + part), (2, [0, 16, 2, 0x80] + part), (1, [0, 16, 2, 0x80] + part)],
            [(3, [40] + part), (2, [80] + part), (1, part)],
            [(2, [0, 0, 0, 0, 0xFF, 0xF3, 0x14, 0xC4] + part), (0, [0, 0, 0, 44] + part)],
            [(3, [0, 1, 0x0B, 0x77] + part), (2, [1, 2, 0x0B, 0x77] + part), (1, [3, 2] + part)], [(3, [0xFC] + part)],
        ]
        return scripts.map { $0.flatMap { [$0.flags, UInt8($0.payload.count)] + $0.payload } }
    }

    private func inputLog() throws -> [UInt8] {
        var writer = WireWriter()
        for (index, packet) in try (packets() + announcements()).enumerated() {
            packet.withUnsafeBytes {
                InputLog.write(
                    index < 4 ? .datagram : .announcement, at: Monotonic(nanoseconds: Int64(index) * 1_000_000),
                    address: "127.0.0.1", port: 9_875, payload: $0, to: &writer)
            }
        }
        return writer.bytes
    }
}
