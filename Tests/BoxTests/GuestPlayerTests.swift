// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Media
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Display

/// Whole boxes with a real decoder and a real screen, `vicodec` and `vkms`: datagrams in, pictures out.
@Suite(.serialized, .enabled(if: Guest.isHere && GuestScreen.hasVideoPlanes)) struct GuestPlayerTests {
    private static let size = PixelSize(width: 640, height: 480)
    /// `vkms` does not scale: as wide as the screen, between two black bars.
    private static let place = PixelRectangle(
        x: 0, y: 60, size: PixelSize(width: FWHTClip.width, height: FWHTClip.height))

    private static func box(port: Int64, _ more: JSONValue = [:]) throws -> RunningBox {
        let settings: JSONValue = [
            "box": ["name": "Guest"], "network": ["interface": "lo"], "log": ["level": "notice"],
            "announcements": ["groups": [["address": "239.255.77.1", "port": 21_200]]],
            "channels": [
                [
                    "name": "One", "address": .string(LoopbackChannel.group), "port": .integer(port),
                    "encapsulation": "raw",
                ]
            ],
            "output": ["kind": "kms", "width": 640, "height": 480, "drawing": "processor"],
            // The bar of a pause would be over the picture.
            "screenText": ["enabled": false], "sound": ["kind": "null"],
            "playback": ["autoTune": "One", "playoutDelayMs": 500],
        ]
        return try RunningBox(settings.merging(patch: more))
    }

    /// What `vkms` makes of the references, copied to its plane by nobody else: a sum for each.
    private static func sums(_ pictures: [[UInt8]], _ matrix: VideoFrame.Matrix = .bt709) throws -> [String] {
        let screen = try GuestScreen(size)
        let stage = Surface(size.width, size.height)
        let sums = try pictures.map { picture in
            let area = try FWHTClip.withFrame(picture, matrix) { screen.present($0, at: place, under: stage.canvas) }
            try #require(area == place)
            return try GuestScreen.sum()
        }
        #expect(screen.driver.status.counters.planeCopies == pictures.count)
        return sums
    }

    /// Sums of what is on the screen, three times in between. It stands then: the composer of `vkms` leaves nobody else
    /// time for a picture.
    private static func standingPictures(_ box: RunningBox) throws -> [String] {
        var shown: Int64 = 0
        return try (0..<3).map { _ in
            let stats = try box.await("stats", within: .seconds(60)) {
                $0["stats"]?["screen"]?["planePictures"]?.integer ?? 0 > shown + 5
            }
            shown = stats["stats"]?["screen"]?["planePictures"]?.integer ?? 0
            #expect(box.client("pause").code == 0)
            let sum = try GuestScreen.sum()
            #expect(box.client("play").code == 0)
            return sum
        }
    }

    private static func decoders(_ box: RunningBox) throws -> [JSONValue] {
        let events = try box.await("events", within: .seconds(60)) { $0["events"] != nil }
        return (events["events"]?.array ?? []).filter { $0["type"] == "session.decoder" }.compactMap { $0["payload"] }
    }

    /// The kernel lets the last picture's memory go in its own time.
    private static func settledResources() throws -> GuestResources {
        let end = SystemClock.monotonic() + .seconds(10)
        while true {
            let now = try GuestResources()
            if now.sharedBuffers == 0 || SystemClock.monotonic() > end { return now }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }

    /// What this process has open.
    private static func files() throws -> [String] {
        let own = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: own).map { name in
            // The folder that is read is one of them.
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(name)")) ?? own
        }.sorted()
    }

    @Test func aChannelFromTheDecoderToAPlane() throws {
        let clip = try FWHTClip(count: FWHTClip.group)
        let pictures = try clip.pictures()
        let references = try Self.sums(pictures)
        let wrong = try Self.sums([pictures[0]], .bt601)
        #expect(Set(references + wrong).count == pictures.count + 1)

        var (resources, files): ([GuestResources], [[String]]) = ([], [])
        for round in 0..<2 {
            let channel = try LoopbackChannel.pictures(clip, port: 21_201)
            defer { channel.stop() }
            let box = try Self.box(port: 21_201)
            let stats = try box.await("stats", within: .seconds(60)) {
                $0["stats"]?["screen"]?["planePictures"]?.integer ?? 0 > 20
            }
            #expect(stats["stats"]?["playback"]?["decoderTier"] == 2)
            if round == 0 {
                let seen = try Self.standingPictures(box)
                #expect(seen.allSatisfy { references.contains($0) }, "\(seen) of \(references)")
                #expect(Set(seen).count > 1, "\(seen)")
            }
            let after = try box.await("stats", within: .seconds(60)) { $0["stats"]?["screen"] != nil }["stats"] ?? [:]
            for group in ["screen", "playback", "stage"] { print("round \(round) \(group): \(after[group] ?? .null)") }
            #expect(after["screen"]?["planeCopies"] == 0 && after["screen"]?["planeRefusals"] == 0)
            #expect(after["playback"]?["decoderTier"] == 2 && after["playback"]?["decoderStarts"] == 1)
            #expect(after["playback"]?["decodeErrors"] == 0 && after["playback"]?["damagedFrames"] == 0)
            let decoders = try Self.decoders(box)
            #expect(decoders.count == 1 && decoders.first?["decoder"] == "hardware")
            #expect(decoders.first?["device"]?.string == Guest.videoNode(named: "stateful-decoder"))
            #expect(box.end() == .ok)
            channel.stop()
            resources.append(try Self.settledResources())
            files.append(try Self.files())
            print("round \(round): \(resources[round]), \(files[round])")
        }
        #expect(resources.allSatisfy { $0.mappings == 0 && $0.sharedBuffers == 0 && $0.attachments == 0 })
        // libwebsockets 4.3 keeps the eventfd of each context that is destroyed, and a service has one; 4.1 closes it.
        #expect([files[0], (files[0] + ["anon_inode:[eventfd]"]).sorted()].contains(files[1]), "\(files)")
    }

    /// SVM-12: the output is closed and opened again while a channel plays; the session stays, and what decodes it.
    /// Drawing by OpenGL ES is left out: an emulated processor takes longer to begin with it than a client waits.
    @Test func theOutputChangesWhileAChannelPlays() throws {
        let channel = try LoopbackChannel.pictures(try FWHTClip(count: FWHTClip.group), port: 21_203)
        defer { channel.stop() }
        let box = try Self.box(port: 21_203)
        func shows(_ name: String) -> (JSONValue) -> Bool {
            { $0.at("/stats/screen/\(name)")?.integer ?? 0 > 10 }
        }
        _ = try box.await("stats", within: .seconds(60), until: shows("planePictures"))
        let session = try box.answer("status")["session"]
        let changes: [(path: String, value: String, isSeen: (JSONValue) -> Bool)] = [
            ("planes", "off", { shows("flips")($0) && $0.at("/stats/screen/planePictures") == 0 }),
            ("planes", "auto", shows("planePictures")),
            ("mode", "800x600", { $0.at("/stats/screen/mode")?.string?.hasPrefix("800x600") == true }),
            ("mode", "640x480", { $0.at("/stats/screen/mode")?.string?.hasPrefix("640x480") == true }),
            ("mirror", "true", shows("flips")), ("mirror", "false", shows("planePictures")),
            ("kind", "headless", { $0.at("/stats/screen") == nil }),
            ("kind", "kms", shows("planePictures")),
        ]
        for (name, value, isSeen) in changes {
            let report = try box.answer("config", "set", "output.\(name)", value)
            #expect(
                report["changes"] == [["path": .string("/output/\(name)"), "effect": "interruptsPicture"]],
                "\(name) \(value): \(report)")
            let stats = try box.await("stats", within: .seconds(60), until: isSeen)
            let before = stats.at("/stats/stage/picturesPresented")?.integer ?? 0
            _ = try box.await("stats", within: .seconds(60)) {
                $0.at("/stats/stage/picturesPresented")?.integer ?? 0 > before + 5
            }
            #expect(try box.answer("status")["session"] == session)
        }
        let refusal = try box.answer("config", "set", "output.connector", "HDMI-A-7")["errorString"]?.string ?? ""
        #expect(refusal.contains("connector 'HDMI-A-7' is not there: expected one of"), "\(refusal)")
        let stats = try box.await("stats", within: .seconds(60), until: shows("planePictures"))
        #expect(stats.at("/stats/playback/decoderTier") == 2)
        #expect(stats.at("/stats/stage/outputErrors") == 0)
        print("decoder starts: \(stats.at("/stats/playback/decoderStarts") ?? .null)")
        #expect(box.end() == .ok)
    }

    /// SVM-12: `sound.unmute` changed while a channel plays on the emulated card, whose control says what became of it.
    @Test func theCardIsUnmutedWhileAChannelPlays() throws {
        let channel = try LoopbackChannel.pictures(try FWHTClip(count: FWHTClip.group), port: 21_204)
        defer { channel.stop() }
        try GuestCard.mute()
        let muted = try GuestCard.level()
        #expect(!muted.isOn && muted.gain < 0)
        let box = try Self.box(port: 21_204, ["sound": ["kind": "alsa", "unmute": false]])
        _ = try box.await("stats", within: .seconds(60)) {
            $0.at("/stats/stage/picturesPresented")?.integer ?? 0 > 10
                && $0.at("/stats/sound/device")?.string?.contains("CARD=Intel") == true
        }
        let session = try box.answer("status")["session"]
        #expect(try GuestCard.level() == muted)
        let report = try box.answer("config", "set", "sound.unmute", "true")
        #expect(report["changes"] == [["path": "/sound/unmute", "effect": "interruptsSound"]], "\(report)")
        let raised = GuestCard.Level(isOn: true, gain: 0)
        let deadline = SystemClock.monotonic() + .seconds(60)
        while try GuestCard.level() != raised, SystemClock.monotonic() < deadline { Thread.sleep(forTimeInterval: 0.1) }
        #expect(try GuestCard.level() == raised)
        let before = try box.answer("stats").at("/stats/stage/picturesPresented")?.integer ?? 0
        let stats = try box.await("stats", within: .seconds(60)) {
            $0.at("/stats/stage/picturesPresented")?.integer ?? 0 > before + 5
        }
        print("sound: \(stats.at("/stats/sound") ?? .null)")
        #expect(try box.answer("status")["session"] == session)
        #expect(box.end() == .ok)
    }

    /// No device takes it: the processor does, and the same screen shows it.
    @Test func whatNoDeviceTakesIsDecodedByTheProcessor() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL
        let stream = [UInt8](try Data(contentsOf: file))
        let channel = try LoopbackChannel(port: 21_202, every: .milliseconds(40)) {
            let step = stream.count / 188 / 75 * 188
            // Again and again: an emulated box may start later than the clip ends.
            return { number in Array(stream.dropFirst(number % 75 * step).prefix(step)) }
        }
        defer { channel.stop() }
        let box = try Self.box(port: 21_202)
        let stats = try box.await("stats", within: .seconds(60)) {
            $0["stats"]?["playback"]?["framesDecoded"]?.integer ?? 0 > 10
        }
        #expect(stats["stats"]?["playback"]?["decoderTier"] == 1)
        let decoders = try Self.decoders(box)
        #expect(decoders.map { $0["decoder"] } == ["software"])
        #expect(decoders.first?["reason"] == "hardware: no device")
        #expect(box.end() == .ok)
    }
}
