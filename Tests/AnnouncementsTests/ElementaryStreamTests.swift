// SPDX-License-Identifier: Apache-2.0
import Announcements
import Testing
import Venue

struct ElementaryStreamTests {
    /// What encoders say of H.264 and AAC, each in its own way.
    @Test(arguments: [Vector.ffmpegH264, .ffmpegIPv6, .vlcElementary]) func readsEncoders(vector: Vector) throws {
        let streams = try vector.session().elementaryStreams
        let video = try #require(streams.first { $0.kind == "video" })
        let audio = try #require(streams.first { $0.kind == "audio" })
        #expect(streams.count == 2 && video.endpoint.address == audio.endpoint.address)
        #expect(video.format.isEncoded(as: "H264") && video.format.clockRate == 90_000)
        #expect(video.format.payloadType == 96 && video.bandwidthKbps == 770)
        #expect(video.format.parameters.integer("packetization-mode") == 1)
        let sets = try #require(video.format.parameters.base64List("sprop-parameter-sets"))
        #expect(sets.map(\.count) == [22, 4] && sets.map { $0[0] & 0x1f } == [7, 8])  // SPS, PPS
        #expect(audio.format.isEncoded(as: "mpeg4-generic") && audio.format.clockRate == 48_000)
        #expect(audio.format.channels == 1 && audio.format.parameters["MODE"] == "AAC-hbr")
        #expect(audio.format.parameters.integer("sizeLength") == 13)
        #expect(audio.format.parameters.hexadecimal("config") == [0x11, 0x88])
        #expect(video.controlPort == video.endpoint.port + 1)
    }

    @Test func ports() throws {
        let address = try #require(NumericAddress("239.255.1.12"))
        let streams = try Vector.vlcElementary.session().elementaryStreams
        #expect(
            streams.map(\.endpoint) == [
                MediaEndpoint(address: address, port: 5_004), MediaEndpoint(address: address, port: 5_006),
            ])
        // Both are 96: the number alone names nothing.
        #expect(streams.map(\.format.payloadType) == [96, 96])
    }

    /// ffmpeg's `same_port`: MPEG-1 video and audio, by number alone.
    @Test func staticNumbers() throws {
        let streams = try Vector.ffmpegSamePort.session().elementaryStreams
        #expect(streams.map(\.format.encodingName) == ["MPV", "MPA"])
        #expect(streams.map(\.endpoint.port) == [5_010, 5_010])
    }

    @Test(
        arguments: [
            ("m=audio 5004 RTP/AVP 97\na=rtpmap:97 MP4A-LATM/48000/2\na=fmtp:97 cpresent=0;config=400023203fc0", 2),
            ("m=audio 5004 RTP/AVP 98 97\na=rtpmap:97 L16/48000/8", 8),
            ("m=audio 5004 RTP/AVPF 97\na=rtpmap:97 opus/48000", 1), ("m=audio 5004 RTP/AVP 10", 2),
            ("m=audio 5004 RTP/AVP 97\na=rtpmap:97 L16/0", nil), ("m=audio 5004 RTP/AVP 97\na=rtpmap:97 L16", nil),
            ("m=audio 5004 RTP/AVP 97\na=rtpmap:97 L16/48000/0", nil),
            ("m=audio 5004 RTP/AVP 97\na=rtpmap:97 L16/48000/2/2", nil),
            ("m=audio 5004 RTP/AVP 97\na=rtpmap:97 /48000", nil), ("m=audio 5004 RTP/AVP 97", nil),
            ("m=audio 5004 RTP/AVP 10\na=rtpmap:10 L16", nil), ("m=audio 5004 RTP/AVP 200\na=rtpmap:200 x/1", nil),
            ("m=audio 5004 RTP/SAVP 97\na=rtpmap:97 L16/48000", nil), ("m=video 5004 RTP/AVP 33", nil),
            ("m=audio 0 RTP/AVP 10", nil), ("m=application 5004 RTP/AVP 96\na=rtpmap:96 flexfec/90000", nil),
        ] as [(String, Int?)])
    func readsFormats(lines: String, channels: Int?) throws {
        let streams = try Self.session(lines).elementaryStreams
        #expect(streams.map(\.format.channels) == channels.map { [$0] } ?? [])
    }

    /// The payload formats that a box plays, with their parameters.
    @Test(
        arguments: [
            ("MPV/90000", "", .mpegVideo), ("MPA/90000", "", .mpegAudio), ("AC3/48000/6", "", .ac3),
            ("ac3/44100", "", .ac3), ("OPUS/48000/2", "sprop-stereo=1", .opus),
            ("MP4A-LATM/48000/2", "profile-level-id=41;cpresent=0;config=4000", .latm(configuration: [0x40, 0])),
            ("MP4A-LATM/48000", "cpresent=1;config=4000", .latm(configuration: nil)),
            ("MP4A-LATM/48000", "", .latm(configuration: nil)), ("MP4A-LATM/48000", "cpresent=0", nil),
            ("H265/90000", "sprop-pps=RA==; sprop-vps=QA==; sprop-sps=Qg==,QgE=", hevc([0x44])),
            ("H265/90000", "sprop-max-don-diff=0; tx-mode=srst", hevc([])),
            (
                "H265/90000", "sprop-max-don-diff=3; sprop-depack-buf-nalus=2",
                .hevc(parameterSets: [], interleavingDepth: 2)
            ),
            ("H265/90000", "sprop-max-don-diff=3", nil), ("H264/90000", "packetization-mode=3", nil),
            ("H264/90000", "packetization-mode=2", nil),
            (
                "H264/90000", "packetization-mode=2; sprop-interleaving-depth=128; sprop-deint-buf-req=4194304",
                .h264(parameterSets: [], interleavingDepth: 128)
            ), ("H264/90000", "packetization-mode=2; sprop-interleaving-depth=129", nil),
            ("H264/90000", "packetization-mode=2; sprop-interleaving-depth=-1", nil),
            ("H264/90000", "packetization-mode=2; sprop-interleaving-depth=1; sprop-deint-buf-req=4194305", nil),
            ("H265/90000", "tx-mode=MRST", nil), ("VP9/90000", "", nil), ("opus/500/2", "", nil),
        ] as [(String, String, ElementaryMedium.Coding?)])
    func codings(map: String, parameters: String, coding: ElementaryMedium.Coding?) throws {
        let format = parameters.isEmpty ? "" : "\na=fmtp:97 \(parameters)"
        let streams = try Self.session("m=audio 5004 RTP/AVP 97\na=rtpmap:97 \(map)\(format)").elementaryStreams
        #expect(streams.count == 1 && streams.first?.medium?.coding == coding)
    }

    /// The sets of a test above, in the order in which a decoder needs them.
    private static func hevc(_ last: [UInt8]) -> ElementaryMedium.Coding {
        .hevc(parameterSets: last.isEmpty ? [] : [[0x40], [0x42], [0x42, 1], last])
    }

    @Test(
        arguments: [
            ("a=rtcp-mux", 5_004), ("a=rtcp:5100 IN IP4 10.0.0.1", 5_100), ("a=rtcp:x", nil), ("a=x", 5_005),
        ] as [(String, UInt16?)])
    func controlPort(line: String, port: UInt16?) throws {
        #expect(try Self.session("m=audio 5004 RTP/AVP 10\n\(line)").elementaryStreams.map(\.controlPort) == [port])
        #expect(try Self.session("m=audio 65535 RTP/AVP 10").elementaryStreams.map(\.controlPort) == [nil])
    }

    @Test func filters() throws {
        let lines = """
            a=source-filter: incl IN IP4 * 10.0.0.9
            a=source-filter: excl IN IP4 239.1.1.1 10.0.0.6 head.example
            m=audio 5004 RTP/AVP 10
            m=audio 5006 RTP/AVP 10
            a=source-filter: incl IN IP4 239.1.1.1 head.example 10.0.0.8 10.0.0.7
            """
        let session = try Self.session(lines)
        #expect(session.elementaryStreams.map(\.endpoint.source?.description) == ["10.0.0.9", "10.0.0.8"])
        let filters = session.sourceFilters(of: session.media[0])
        #expect(filters.map(\.mode) == [.include, .exclude] && filters.map(\.sources.count) == [1, 1])
        #expect(session.sourceFilters(of: session.media[1]).map(\.sources.count) == [2])
        // What is excluded counts where nobody is included.
        let excluding = try Self.session(
            """
            a=source-filter: excl IN IP4 239.1.1.1 10.0.0.6 10.0.0.5
            a=source-filter: excl IN IP4 239.1.1.2 10.0.0.7
            a=source-filter: excl IN IP6 * fd00::1
            m=audio 5004 RTP/AVP 10
            m=video 5006 RTP/AVP 33
            """)
        let endpoint = try #require(excluding.elementaryStreams.first?.endpoint)
        #expect(endpoint.source == nil && endpoint.excluded.map(\.description) == ["10.0.0.6", "10.0.0.5"])
        #expect(excluding.programme?.transport.excludedSources == ["10.0.0.6", "10.0.0.5"])
        #expect(session.elementaryStreams.allSatisfy { $0.endpoint.excluded.isEmpty })
        let many = String(repeating: " 10.0.0.1", count: 40)
        let bounded = try Self.session("a=source-filter: incl IN IP4 *\(many)\nm=audio 5004 RTP/AVP 10")
        #expect(bounded.sourceFilters(of: bounded.media[0]).map(\.sources.count) == [16])
    }

    private static func session(_ lines: String) throws -> SessionDescription {
        try SessionDescription("v=0\no=- 1 2 IN IP4 10.0.0.1\ns=x\nc=IN IP4 239.1.1.1/1\n\(lines)\n")
    }
}
