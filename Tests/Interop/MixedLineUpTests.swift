// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 1" of step 3: whoever announces, and however, is in one list and plays; rubbish changes nothing.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.vlc.isThere && Peer.hasNamespaces)) struct MixedLineUpTests {
        /// A thousand datagrams a second of every kind that announces nothing, each from one of 50 senders.
        private static let rubbish = """
            import random, socket, sys, time
            senders = []
            for number in range(50):
                sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                sender.bind((f"127.0.1.{number + 1}", 0))
                sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
                senders.append(sender)
            random.seed(7)
            head = lambda flags, number: bytes([flags, 0, number >> 8 & 255, number & 255 | 1, 127, 0, 0, 1])
            start, count = time.time(), 0
            while True:
                tail = random.randbytes(random.randrange(200))
                kinds = [
                    tail, head(0x22, count) + tail, head(0x21, count) + b"\\x78\\xdb" + tail, head(0x20, count) + tail,
                    head(0x20, count) + b"application/vnd.touchline.announcement+json\\0{" + tail,
                    head(0x20, count) + b"v=0\\r\\no=- 0 0 IN IP4 1.1.1.1\\r\\ns=x\\r\\n\\1" + tail,
                    head(0x20, count) + b"v=0\\r\\no=- 1 1 IN IP4 1.1.1.1\\r\\ns=x\\r\\nt=0 0\\r\\n",
                ]
                senders[count % 50].sendto(kinds[count % 7], ("224.2.127.254", 9875))
                count += 1
                time.sleep(max(0, start + count / 1000 - time.time()))
            """

        @Test func allAreListedAndPlayThroughRubbish() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let video = try await CountedVideo.make(in: venue)
                let pictures = try await CountedVideo.make(.h264, seconds: 40, in: venue)
                let tone = try await SoundCoding.aac.makeTone(seconds: 40, in: venue)
                let written = StreamTarget(name: "Written")
                let box = try await BoxProcess(
                    [
                        "announcements": ["groups": [["address": "224.2.127.254"], ["address": "239.255.255.255"]]],
                        "channels": [written.json],
                    ], in: venue)
                let home = try FileManager.default.nobodysHome(in: venue.directory)
                try venue.start(
                    [
                        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=\(home)", "cvlc",
                        "-I", "dummy", "--repeat", video.path, "--sout",
                        "#rtp{dst=239.255.1.8,port=5004,mux=ts,sap,name=VLC,ttl=1}",
                    ], name: "vlc")
                let loops = { (paths: [String]) in paths.flatMap { ["-re", "-stream_loop", "-1", "-i", $0] } }
                let quiet = ["ffmpeg", "-nostdin", "-loglevel", "error"]
                try venue.start(
                    quiet + loops([pictures.path, tone]) + [
                        "-map", "0", "-map", "1", "-c", "copy", "-metadata", "title=Elementary", "-f", "sap",
                        "sap://239.255.1.7:5004?ttl=1",
                    ], name: "ffmpeg-announces")
                try venue.start(quiet + loops([video.path]) + ["-c", "copy"] + written.output(), name: "ffmpeg")
                _ = try venue.headEnd([
                    "streamer": ["id": "own"], "license": BoxProcess.license,
                    "network": ["interface": "lo", "hops": 1],
                    "announcements": ["groups": [["address": "224.2.127.254"]], "intervalMs": 1_000],
                    "channels": [
                        Group().json.merging(patch: [
                            "number": 1, "name": "Own", "width": 320, "height": 180, "bitrateKbps": 300,
                            "preset": "ultrafast",
                        ])
                    ],
                ])
                for name in ["VLC", "Elementary", "Own"] { try await box.awaitChannel(name, within: .seconds(20)) }
                let listed = try await box.channelNames
                #expect(Set(listed) == ["VLC", "Elementary", "Own", "Written"] && listed.count == 4)
                let before = try await box.counters("/lineUp/announcementsReceived", "/lineUp/channelsAdded")

                let began = ContinuousClock.now
                let flood = try venue.start(["python3", "-c", Self.rubbish], name: "rubbish")
                for (name, source) in [("VLC", video), ("Elementary", pictures), ("Written", video)] {
                    try await box.tune(name)
                    var paths: [String] = []
                    for index in 0..<3 {
                        try await Task.sleep(for: .milliseconds(770))
                        paths.append(try await box.screenshot("\(name)-\(index).png"))
                    }
                    let shots = try await Screenshots(paths, in: venue)
                    let likeness = try await shots.likeness(to: source)
                    #expect(
                        likeness.count == 3 && likeness.values.allSatisfy { $0 >= 0.98 },
                        "\(name): \(shots.numbers), \(likeness)")
                    let rests = try await box.counters("/playback/damagedFrames", "/playback/decodeErrors")
                    #expect(rests == [0, 0], "\(name)")
                }
                try await box.tune("Own")
                #expect(flood.isRunning, "\(flood.messages)")
                let seconds = Int64((ContinuousClock.now - began).components.seconds)
                let after = try await box.counters(
                    "/lineUp/announcementsReceived", "/lineUp/channelsAdded", "/lineUp/channelsPruned",
                    "/lineUp/channelsDeleted", "/lineUp/announcementsUnplayable", "/lineUp/announcementsEncrypted")
                #expect(after[0] - before[0] > seconds * 500, "\(after) in \(seconds) s")
                #expect(after[1] == before[1] && after[2] == 0 && after[3] == 0, "\(before), \(after)")
                #expect(after[4] > 0 && after[5] > 0, "\(after)")
                #expect(try await box.channelNames == listed)
                let streamers = try await box.answer("streamers")["streamers"]?.array ?? []
                #expect(streamers.count == 2, "\(streamers)")
                print("line-up: \(after[0] - before[0]) datagrams of rubbish in \(seconds) s")
                try Peer.ffmpeg.log(test: "line-up", checks: 6)
                try Peer.vlc.log(test: "line-up", checks: 3)
            }
        }
    }
}
