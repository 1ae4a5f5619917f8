// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// "Shows 2": what ffmpeg and VLC send is on the screen, picture by picture as ffmpeg decodes it.
    @Suite struct PictureTests {
        @Test(.enabled(if: Peer.ffmpeg.isThere)) func ffmpegSendsRTP() async throws {
            try await TestVenue.open { venue in
                let (group, video) = (Group(), try await CountedVideo.make(in: venue))
                try venue.start(
                    source(video) + [
                        "-f", "rtp_mpegts",
                        "rtp://\(group.address):\(group.port)?ttl=1&pkt_size=1328&localaddr=127.0.0.1",
                    ], name: "ffmpeg")
                let box = try await BoxProcess(["channels": [channel(group, "rtp")]], in: venue)
                try await showsEachPicture(of: video, on: "One", box, in: venue, peer: .ffmpeg)
            }
        }

        @Test(.enabled(if: Peer.ffmpeg.isThere)) func ffmpegSendsBareUDP() async throws {
            try await TestVenue.open { venue in
                let (group, video) = (Group(), try await CountedVideo.make(in: venue))
                try venue.start(
                    source(video) + [
                        "-f", "mpegts", "-muxrate", "\(CountedVideo.kilobits)k",
                        "udp://\(group.address):\(group.port)?pkt_size=1316&ttl=1&localaddr=127.0.0.1",
                    ], name: "ffmpeg")
                let box = try await BoxProcess(["channels": [channel(group, "raw")]], in: venue)
                try await showsEachPicture(of: video, on: "One", box, in: venue, peer: .ffmpeg)
            }
        }

        @Test(.enabled(if: Peer.ffmpeg.isThere && Peer.hasNamespaces)) func ffmpegAnnounces() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let video = try await CountedVideo.make(in: venue)
                let box = try await BoxProcess(announced, in: venue)
                let pipe = venue.directory.file("pipe.ts")
                try await venue.succeed(["mkfifo", pipe])
                try venue.start(source(video) + ["-y", "-f", "mpegts", pipe], name: "ffmpeg-paces")
                try venue.start(
                    [
                        "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "mpegtsraw", "-i", pipe, "-map", "0", "-c",
                        "copy", "-metadata", "title=One", "-f", "sap", "sap://239.255.1.7:5004?ttl=1",
                    ], name: "ffmpeg-announces")
                try await box.awaitChannel("One", within: .seconds(15))
                try await showsEachPicture(of: video, on: "One", box, in: venue, peer: .ffmpeg)
            }
        }

        @Test(.enabled(if: Peer.ffmpeg.isThere && Peer.vlc.isThere && Peer.hasNamespaces))
        func vlcAnnounces() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let video = try await CountedVideo.make(in: venue)
                let box = try await BoxProcess(announced, in: venue)
                let home = try FileManager.default.nobodysHome(in: venue.directory)
                try venue.start(
                    [
                        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=\(home)",
                        "cvlc", "-I", "dummy", "--repeat", video.path, "--sout",
                        "#rtp{dst=239.255.1.8,port=5004,mux=ts,sap,name=One,ttl=1}",
                    ], name: "vlc")
                try await box.awaitChannel("One", within: .seconds(15))
                try await showsEachPicture(of: video, on: "One", box, in: venue, peer: .vlc)
            }
        }

        private let announced: JSONValue = [
            "announcements": ["groups": [["address": "224.2.127.254"], ["address": "239.255.255.255"]]]
        ]

        private func source(_ video: CountedVideo) -> [String] {
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy"]
        }

        private func channel(_ group: Group, _ encapsulation: JSONValue) -> JSONValue {
            group.json.merging(patch: ["name": "One", "encapsulation": encapsulation])
        }

        /// At random instants the screenshot is the picture that its number says, and pictures follow each other.
        private func showsEachPicture(
            of video: CountedVideo, on name: String, _ box: BoxProcess, in venue: TestVenue, peer: Peer,
            test: String = #function
        ) async throws {
            try await box.tune(name)
            let seconds = Interop.playSeconds(usual: 6)
            let count = max(8, Int(seconds / 3))
            var random = SplitMix64(seed: Interop.seed)
            var paths: [String] = []
            let began = ContinuousClock.now
            for index in 0..<count {
                // One instant in each equal part of the time, at random within it.
                let part = (Double(index) + Double.random(in: 0..<0.9, using: &random)) * seconds / Double(count)
                try await Task.sleep(until: began + .seconds(part), clock: .continuous)
                paths.append(try await box.screenshot("shot-\(index).png"))
            }
            let shots = try await Screenshots(paths, in: venue)
            let numbers = shots.numbers.compactMap { $0 }
            #expect(numbers.count == count, "no number in some of \(shots.numbers), seed \(Interop.seed)")
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 != $1 }, "the picture stands: \(numbers)")
            let likeness = try await shots.likeness(to: video)
            let worst = likeness.values.min() ?? 0
            #expect(worst >= 0.98, "SSIM by picture: \(likeness), seed \(Interop.seed)")
            // And of no other picture: the measure can tell one from the next.
            let next = try await shots.likeness(to: video, distance: 1)
            for (number, value) in next {
                #expect(value < likeness[number] ?? 0, "picture \(number) looks like the next")
            }
            let rests = try await box.counters("/playback/damagedFrames", "/playback/decodeErrors", "/stage/drawErrors")
            #expect(rests == [0, 0, 0])
            print("\(test): \(count) pictures, worst SSIM \(worst), of the next picture \(next.values.max() ?? 0)")
            try peer.log(test: test, checks: count)
        }
    }
}

extension FileManager {
    /// A home directory that nobody, user 65534, may write.
    func nobodysHome(in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("home")
        try createDirectory(atPath: path, withIntermediateDirectories: false)
        try setAttributes([.ownerAccountID: 65_534, .groupOwnerAccountID: 65_534], ofItemAtPath: path)
        return path
    }
}
