// SPDX-License-Identifier: Apache-2.0
import Foundation
import LineUp
import Testing
import Venue

/// Which media of a description become a channel.
struct LineUpElementaryTests {
    private static func channel(_ lines: String) -> Channel? {
        var script = Script()
        let head = "v=0\r\no=- 7 1 IN IP4 10.0.0.5\r\ns=Many\r\nc=IN IP4 239.2.2.2/1\r\nt=0 0\r\n"
        script.hear(sdp: head + lines.split(separator: "\n").map { $0 + "\r\n" }.joined())
        return script.lineUp.channels.first
    }

    private static func media(_ channel: Channel?) -> [ElementaryMedium]? {
        guard case .elementary(let media) = channel?.transport.encapsulation else { return nil }
        return media
    }

    static let h264 = "m=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000"
    static let aac = """
        m=audio 5006 RTP/AVP 97
        b=AS:128
        a=rtpmap:97 MPEG4-GENERIC/48000/2
        a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190
        """

    @Test func theFirstOfEachKindThatCanBeRead() throws {
        let lines = """
            m=audio 5000 RTP/AVP 0
            m=audio 5002 RTP/AVP 97
            a=rtpmap:97 MP4A-LATM/48000/2
            a=fmtp:97 cpresent=0
            \(Self.aac)
            c=IN IP4 239.2.2.3/1
            a=rtcp-mux
            m=video 5008 RTP/AVP 98
            a=rtpmap:98 VP8/90000
            \(Self.h264)
            m=video 5010 RTP/AVP 99
            a=rtpmap:99 H264/90000
            """
        let channel = try #require(Self.channel(lines))
        let media = try #require(Self.media(channel))
        #expect(media.map(\.port) == [5_004, 5_006] && media.map(\.address) == ["239.2.2.2", "239.2.2.3"])
        #expect(media.map(\.controlPort) == [5_005, 5_006] && media.map(\.clockRate) == [90_000, 48_000])
        #expect(channel.transport.port == 5_004 && channel.bandwidthKbps == 128)
    }

    /// A transport stream has it all; of several the first is played.
    @Test func aTransportStreamPrevails() {
        let channel = Self.channel("\(Self.h264)\nm=video 5020 RTP/AVP 33\nm=video 5022 RTP/AVP 33")
        #expect(channel?.transport.port == 5_020 && channel?.transport.encapsulation == .rtp(payloadType: 33))
    }

    @Test(
        arguments: [
            "packetization-mode=2", "packetization-mode=3", "packetization-mode=2;sprop-interleaving-depth=1000",
        ]) func whatIsInterleavedTooFarIsNotPlayed(parameters: String)
    {
        #expect(Self.channel("\(Self.h264)\na=fmtp:96 packetization-mode=2;sprop-interleaving-depth=8") != nil)
        #expect(Self.channel("\(Self.h264)\na=fmtp:96 \(parameters)") == nil)
        #expect(Self.channel("\(Self.h264)\na=fmtp:96 packetization-mode=1") != nil)
    }

    /// Of other modes and of profiles that need more than ADTS can say.
    @Test(
        arguments: [
            ("mode=AAC-hbr", "mode=AAC-lbr"), ("config=1190", "config=2b098800"), ("config=1190", "config=119"),
            ("config=1190", "config="), ("sizelength=13", "sizelength=0"), ("sizelength=13", "sizelength=99"),
            ("48000/2", "1000/2"),
        ] as [(String, String)])
    func soundThatIsNotReadIsLeftOut(old: String, new: String) {
        let other = Self.aac.replacingOccurrences(of: old, with: new)
        #expect(Self.channel(other) == nil)
        #expect(Self.media(Self.channel("\(Self.h264)\n\(other)"))?.map(\.isVideo) == [true])
    }
}
