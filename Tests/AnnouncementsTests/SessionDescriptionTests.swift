// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import Testing
import Venue

struct SessionDescriptionTests {
    private static let head = "v=0\r\no=- 1 2 IN IP4 10.0.0.1\r\ns=x\r\n"

    @Test(
        arguments: [
            (
                .vlcRTP, "VenueCh1",
                Transport(address: "239.255.1.4", port: 5004, encapsulation: .rtp(payloadType: 33))
            ),
            (
                .vlcUDP, "Venue Ünï 2",
                Transport(address: "239.255.1.5", port: 5006, source: "127.0.0.1", encapsulation: .raw)
            ),
            (
                .ffmpegRawTS, "Raw TS",
                Transport(address: "239.255.1.7", port: 5004, encapsulation: .rtp(payloadType: 33))
            ),
            (.ffmpegElementary, "Venue One", nil), (.ffmpegSamePort, "ES", nil),
            (.ffmpegH264, "Elementary", nil), (.vlcElementary, "Elementary", nil), (.ffmpegIPv6, "Venue Six", nil),
            (
                .vlcIPv6, "Six",
                Transport(address: "ff05::1:6", port: 5004, encapsulation: .rtp(payloadType: 33))
            ),
        ] as [(Vector, String, Transport?)])
    func readsRealHeadEnds(vector: Vector, name: String, transport: Transport?) throws {
        let session = try vector.session()
        #expect(session.name == name)
        #expect(session.programme?.transport == transport)
    }

    @Test func readsEveryPartOfVLCs() throws {
        let session = try Vector.vlcRTP.session()
        #expect(session.origin.sessionID == "17197961098473167518" && session.origin.address == "vm")
        #expect(session.information == "N/A")
        #expect(session.connection?.address == "239.255.1.4" && session.connection?.ttl == 255)
        #expect(session.value(ofAttribute: "tool") == "vlc 3.0.24")
        #expect(session.attributes.contains { $0.name == "recvonly" && $0.value == nil })
        #expect(session.media.map(\.kind) == ["video"])
        #expect(session.media.first?.bandwidthKbps == nil)  // RR is not what is sent
    }

    @Test func readsEveryPartOfFFmpegs() throws {
        let session = try Vector.ffmpegElementary.session()
        #expect(session.origin.sessionID == "0")
        #expect(session.media.map(\.port) == [5004, 5006])
        #expect(session.media.map(\.bandwidthKbps) == [nil, 69])
        #expect(session.media.map(\.connection?.ttl) == [1, 1])
    }

    @Test(arguments: [
        Channel(
            id: Channel.ID("a/7"), name: "Main", channelText: "All of it", sessionNumber: 7, bandwidthKbps: 4_000,
            transport: Transport(
                address: "239.1.1.1", port: 5004, source: "10.0.0.1", encapsulation: .rtp(payloadType: 33))),
        Channel(
            id: Channel.ID("a/8"), name: "Main 2",
            transport: Transport(address: "239.1.1.2", port: 5004, encapsulation: .rtp(payloadType: 96))),
        Channel(
            id: Channel.ID("a/9"), name: "Ünï",
            transport: Transport(address: "ff05::9", port: 5006, source: "fd00::1", encapsulation: .raw)),
    ])
    func readsWhatItWrites(channel: Channel) throws {
        let origin = NumericAddress(v4: 0x0a00_0001)
        let written = SessionDescription(announcing: channel, origin: origin, version: 3, ttl: 16)
        let read = try SessionDescription(written.text)
        #expect(read == written)
        #expect(read.programme?.transport == channel.transport)
        #expect(read.name == channel.name)
        #expect(read.value(ofAttribute: SessionDescription.twinAttribute) == channel.id.text)
        #expect(read.programme?.media.bandwidthKbps == (channel.bandwidthKbps > 0 ? channel.bandwidthKbps : nil))
    }

    @Test func whatANameHoldsDoesNotBecomeALine() throws {
        let channel = Channel(
            id: Channel.ID("a/1"), name: "x\r\nm=audio 1 RTP/AVP 0",
            transport: Transport(address: "239.1.1.1", port: 5004, encapsulation: .raw))
        let text = SessionDescription(announcing: channel, origin: NumericAddress(v4: 1), version: 1, ttl: 1).text
        #expect(try SessionDescription(text).media.count == 1)
    }

    @Test(
        arguments: [
            ("c=IN IP4 239.1.1.1/1\r\nm=video 0 RTP/AVP 33\r\nm=video 5004/2 RTP/AVP 96 33\r\n", 5004),
            ("c=IN IP4 239.1.1.1/1/3\nm=video 5006 RTP/AVP 97\na=rtpmap:97 MP2T/90000\n", 5006),
            ("m=video 5010 RTP/AVP 33\r\nc=IN IP4 239.1.1.1/1\r\nc=IN IP4 239.1.1.2/1\r\n", 5010),
            ("m=application 5008 udp MP2T\r\nc=IN IP6 ff05::1/2\r\n\0", 5008),
            ("c=IN IP4 239.1.1.1/1\nb=AS:lots\nb=1000\nm=video 5012 RTP/AVP 33\nb=\n\n", 5012),
            ("c=IN IP4 239.1.1.1/1\r\nm=video 5014 RTP/AVP 33\r\n\r\n\r\n\0", 5014),
            ("c=in ip4 239.1.1.1/1\r\nm=video 5016 MP2T/H2221/UDP 33\r\n", 5016),
            ("c=IN ip6 ff05::1\r\nm=video 5018 RAW/RAW/UDP 33\r\n", 5018),
            ("c=IN IP4 239.1.1.1/1\r\nm=video 5020 RAW/RAW/UDP 96\r\n", nil),
            ("c=IN IP4 239.1.1.1\r\nm=video 5004 RTP/AVP 33\r\na=rtpmap:33 H264/90000\r\n", nil),
            ("c=IN IP4 head.example\r\nm=video 5004 RTP/AVP 33\r\n", nil),
            ("m=video 5004 RTP/AVP 33\r\n", nil), ("c=IN IP4 0.0.0.0\r\nm=video 5004 RTP/AVP 33\r\n", nil),
            ("c=IN IP4 239.1.1.1\r\nm=video 5004 RTP/SAVP 33\r\n", nil), ("", nil),
        ] as [(String, UInt16?)])
    func findsTheTransportStream(lines: String, port: UInt16?) throws {
        #expect(try SessionDescription(Self.head + lines).programme?.transport.port == port)
    }

    @Test(
        arguments: [
            ("incl IN IP4 * 10.0.0.9", "10.0.0.9"), (" incl IN IP4 239.1.1.1 10.0.0.9 10.0.0.8", "10.0.0.9"),
            (" incl IN IP4 239.1.1.2 10.0.0.9", nil), (" excl IN IP4 * 10.0.0.9", nil), (" incl IN IP4 * fd00::1", nil),
            (" incl IN IP4 * 239.1.1.9", nil), (" incl", nil),
        ] as [(String, String?)])
    func filtersSources(filter: String, source: String?) throws {
        let lines = "c=IN IP4 239.1.1.1/1\r\na=source-filter:\(filter)\r\nm=video 5004 RTP/AVP 33\r\n"
        #expect(try SessionDescription(Self.head + lines).programme?.transport.source == source)
    }

    @Test(
        arguments: [
            ("", WireError(.invalid("SDP v= line", 1), at: 0)),
            ("v=1\r\n", WireError(.unsupported("SDP version in line", 1), at: 0)),
            ("v=0\r\ns=x\r\n", WireError(.invalid("SDP o= line", 2), at: 5)),
            ("v=0\r\no=- 1 IN IP4 1.2.3.4\r\n", WireError(.invalid("SDP o= line", 2), at: 5)),
            (head + "nonsense\r\n", WireError(.invalid("SDP line", 4), at: 35)),
            (head + "\r\nt=0 0\r\n", WireError(.invalid("SDP line", 4), at: 35)),
            (head + "x=1\r\n", WireError(.invalid("SDP type in line", 4), at: 35)),
            (head + "c=IN IP4 239.1.1.1/300\r\n", WireError(.invalid("SDP c= line", 4), at: 35)),
            (head + "m=video 70000 RTP/AVP 33\r\n", WireError(.invalid("SDP m= line", 4), at: 35)),
            (head + "i=\u{1b}[2J\r\n", WireError(.invalid("SDP control character in line", 4), at: 35)),
        ] as [(String, WireError)])
    func refuses(text: String, error: WireError) { #expect(throws: error) { try SessionDescription(text) } }

    @Test(
        arguments: [
            ("i=", "x", 3_000, WireError(.limit("SDP line length", 3_002), at: 35)),
            ("", "a=x\n", 300, WireError(.limit("SDP lines", 257), at: 35 + 253 * 4)),
            ("", "m=v 1 udp 1\n", 17, WireError(.limit("SDP media", 17), at: 35 + 16 * 12)),
            ("", "x", 9_000, WireError(.limit("SDP length", 9_035), at: 0)),
        ] as [(String, String, Int, WireError)])
    func isBounded(start: String, piece: String, count: Int, error: WireError) {
        let text = Self.head + start + String(repeating: piece, count: count)
        #expect(throws: error) { try SessionDescription(text) }
    }
}
