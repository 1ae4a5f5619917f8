// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import LineUp
import TestSupport
import Testing
import Venue

/// The datagrams of `Tests/AnnouncementsTests/Vectors`, as a box hears them.
struct LineUpRealHeadEndTests {
    private static let loopback = NumericAddress(v4: 0x7f00_0001)

    private static func datagram(_ name: String) throws -> [UInt8] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../AnnouncementsTests/Vectors/\(name).hex").standardizedFileURL
        return [UInt8](hexadecimal: try String(contentsOf: file, encoding: .utf8))
    }

    @Test func ffmpegComesAndGoes() throws {
        var script = Script()
        script.hear(try Self.datagram("ffmpeg-rawts"), from: Self.loopback)
        #expect(script.names == ["Raw TS"])
        #expect(script.lineUp.channels.first?.bandwidthKbps == 18)
        script.hear(try Self.datagram("ffmpeg-rawts-deletion"), from: Self.loopback)
        #expect(script.names == [] && script.lineUp.streamers.isEmpty)
        #expect(script.lineUp.counters.channelsDeleted == 1 && script.lineUp.counters.faults == 0)
    }

    @Test func vlcComesAndIsKilled() throws {
        var script = Script()
        for _ in 0..<4 {
            script.hear(try Self.datagram("vlc-rtp"), from: Self.loopback)
            script.hear(try Self.datagram("vlc-udp"), from: Self.loopback)
            #expect(script.wait(seconds: 5) == [])
        }
        #expect(Set(script.names) == ["VenueCh1", "Venue Ünï 2"])
        #expect(script.lineUp.channels.map(\.channelText) == ["", ""])
        #expect(script.wait(seconds: 9) == [])
        #expect(script.wait(seconds: 1).count == 3)
        #expect(script.lineUp.counters.channelsPruned == 2)
    }

    /// MPEG-1 video and sound, by number alone and on one port.
    @Test func payloadTypesWithoutADescriptionAreAChannel() throws {
        var script = Script()
        script.hear(try Self.datagram("ffmpeg-sameport"), from: Self.loopback)
        let channel = try #require(script.lineUp.channels.first)
        guard case .elementary(let media) = channel.transport.encapsulation else {
            Issue.record("\(channel.transport)")
            return
        }
        #expect(media.map(\.coding) == [.mpegVideo, .mpegAudio] && media.map(\.payloadType) == [32, 14])
        #expect(media.map(\.port) == [5_010, 5_010] && script.lineUp.counters.faults == 0)
    }

    /// Who looks for the channel is told what it is.
    @Test func codingsThatNobodyPlaysAreNoChannel() throws {
        let lines = [
            "v=0", "o=- 1 1 IN IP4 vm", "s=One", "c=IN IP4 239.255.1.8/255", "t=0 0", "m=video 5004 RTP/AVP 96",
            "a=rtpmap:96 VP8/90000", "m=audio 5006 RTP/AVP 0 8", "m=application 5008 RTP/AVP 99",
        ]
        var script = Script()
        script.hear(
            SAPPacket.encoded(
                origin: NumericAddress(v4: 0), payloadType: .sessionDescription,
                payload: Array((lines.joined(separator: "\r\n") + "\r\n").utf8)), from: Self.loopback)
        #expect(script.lineUp.counters.announcementsUnplayable == 1 && script.lineUp.channels.isEmpty)
        let reason = script.lineUp.lastFault?.reason
        #expect(reason == .unplayable(["video VP8", "audio PCMU PCMA", "application RTP/AVP 99"]))
        let words = "nothing of this is played, or not at this address: video VP8, audio PCMU PCMA,"
        #expect(reason.map { "\($0)" }?.hasPrefix(words) == true)
    }

    @Test(arguments: ["ffmpeg-h264", "vlc-elementary", "ffmpeg-ipv6"]) func elementaryStreamsAreAChannel(
        name: String
    ) throws {
        var script = Script()
        script.hear(try Self.datagram(name), from: Self.loopback)
        let channel = try #require(script.lineUp.channels.first)
        var media: [ElementaryMedium] = []
        if case .elementary(let announced) = channel.transport.encapsulation { media = announced }
        try #require(media.count == 2)
        #expect(media.map(\.isVideo) == [true, false] && media.map(\.clockRate) == [90_000, 48_000])
        #expect(channel.transport.port == media[0].port && channel.bandwidthKbps >= 770)
        #expect(media.allSatisfy { $0.controlPort == $0.port + 1 } && media[0].port != media[1].port)
        #expect(script.lineUp.counters.faults == 0)
    }

    /// Each stream that VLC comes to know makes a session of its own number; the one before is never taken back.
    @Test func vlcAddsAStream() throws {
        func announcement(_ number: Int, _ media: [String]) -> [UInt8] {
            let lines =
                ["v=0", "o=- \(number) \(number) IN IP4 vm", "s=One", "c=IN IP4 239.255.1.8/255", "t=0 0"] + media
            return SAPPacket.encoded(
                origin: NumericAddress(v4: 0), payloadType: .sessionDescription,
                payload: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
        }
        let video = ["m=video 5004 RTP/AVP 96", "a=rtpmap:96 H264/90000", "a=fmtp:96 packetization-mode=1"]
        let sound = [
            "m=audio 5006 RTP/AVP 96", "a=rtpmap:96 mpeg4-generic/48000",
            "a=fmtp:96 streamtype=5; mode=AAC-hbr; config=1188; SizeLength=13; IndexLength=3; IndexDeltaLength=3",
        ]
        var script = Script()
        script.hear(announcement(1, video), from: Self.loopback)
        script.hear(announcement(2, video + sound), from: Self.loopback)
        #expect(script.names == ["One"] && script.lineUp.channels.first?.sessionNumber == 2)
        // The sound alone came first: the pictures' port is the channel's then.
        var other = Script()
        other.hear(announcement(1, sound), from: Self.loopback)
        other.hear(announcement(2, sound + video), from: Self.loopback)
        #expect(other.names == ["One"] && other.lineUp.channels.first?.transport.port == 5_004)
        // What is announced again and again is another channel, whatever it shares.
        _ = script.wait(seconds: 10)
        script.hear(announcement(3, video), from: Self.loopback)
        #expect(script.names == ["One", "One"] && script.lineUp.counters.channelsDeleted == 1)
    }

    /// RFC 2974 §6; the deletion of what was announced compressed need not be.
    @Test func compressedIsReadAsPlain() throws {
        var script = Script()
        let compressed = try Self.datagram("compressed")
        script.hear(compressed, from: Self.loopback)
        let channels = script.lineUp.channels
        #expect(channels.map(\.name) == ["VenueCh1"])
        #expect(script.hear(compressed, from: Self.loopback) == [])
        script.hear(try Self.datagram("vlc-rtp"), from: Self.loopback)
        #expect(script.lineUp.channels == channels && script.lineUp.counters.faults == 0)
        script.hear([0x24] + compressed[1..<8], from: Self.loopback)
        #expect(script.names == [] && script.lineUp.counters.channelsDeleted == 1)
    }

    @Test func aBombIsRefused() throws {
        var script = Script()
        script.hear(try Self.datagram("compressed-bomb"), from: Self.loopback)
        #expect(script.lineUp.counters.announcementsMalformed == 1)
        #expect(script.lineUp.lastFault?.reason == .incompressible(.tooLong(limit: 16_384)))
    }

    @Test func everyTruncationOfACompressedOneIsRefused() throws {
        let compressed = try Self.datagram("compressed")
        var script = Script()
        for count in 0..<compressed.count { script.hear(Array(compressed[..<count]), from: Self.loopback) }
        #expect(script.lineUp.counters.announcementsMalformed == UInt64(compressed.count) && script.names == [])
    }

    /// VLC announces a session of two streams twice, with two hashes; IPv6 is a sender like any other.
    @Test func ipv6AndElementaryStreams() throws {
        var script = Script()
        let six = NumericAddress(v6: 0xfd00_0000_0000_0000, 1)
        script.hear(try Self.datagram("vlc-ipv6"), from: six)
        #expect(script.lineUp.channels.map(\.transport.address) == ["ff05::1:6"])
        #expect(script.lineUp.streamers.map(\.address) == ["fd00::1"])
        script.hear(try Self.datagram("ffmpeg-ipv6"), from: six)
        #expect(script.lineUp.channels.count == 2)
        script.hear(try Self.datagram("ffmpeg-ipv6-deletion"), from: six)
        #expect(script.lineUp.channels.count == 1 && script.lineUp.counters.faults == 0)
    }
}
