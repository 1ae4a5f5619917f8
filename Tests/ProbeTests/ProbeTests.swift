// SPDX-License-Identifier: Apache-2.0
import Commands
import Containers
import FeatureTesting
import Foundation
import Hosting
import JSON
import Settings
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Probe

/// PLAY-44.
@Suite final class ProbeTests {
    private let context: FeatureContext
    private let host: FeatureHost
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-probe-\(UUID())").path

    init() throws {
        var context = try FeatureContext.testing(of: Probe.self)
        context.provide(Probe.Sources { _, _, _ in nil })
        self.context = context
        host = try FeatureHost([Probe.self], context)
        host.start()
        try DurableFile.makeDirectory(directory)
    }

    deinit {
        host.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func probe(_ what: String) throws -> JSONValue {
        var answered: Result<JSONValue, Status>?
        let request = try CommandRequest(CommandDescription(ProbeMedia.self), arguments: ["what": .string(what)])
        #expect(host.handle(request) { answered = $0 })
        let end = SystemClock.monotonic() + .seconds(20)
        while answered == nil, SystemClock.monotonic() < end { try context.loop.turn(atMost: .milliseconds(50)) }
        return try #require(answered).get()
    }

    private func file(_ name: String, _ octets: [UInt8]) throws -> String {
        let path = directory + "/" + name
        try DurableFile.write(octets, to: path)
        return path
    }

    private func problem(_ what: String) -> String? { thrown(Status.self) { try probe(what) }?.errorString }

    @Test func whatIsNoMediaIsRefusedWithTheReason() throws {
        #expect(problem("/nowhere.mp4")?.contains("No such file") == true)
        #expect(problem(directory)?.contains("Not a regular file") == true)
        #expect(problem(try file("empty.mp4", [])) != nil)
        #expect(problem(try file("text.ts", Array(repeating: 0x41, count: 40_000))) != nil)
    }

    /// A playlist of HLS is known by its first line, and its URLs are followed nowhere.
    @Test func whatIsNotReadIsNamed() throws {
        let list = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1280000\nhttp://192.0.2.1/low.m3u8\n"
        let answer = try probe(try file("list.m3u8", Array(list.utf8)))
        #expect(ProbeAnswer.kind.problems(of: answer).isEmpty)
        #expect(answer["container"]?.string?.hasPrefix("hls") == true && answer["isPlayable"] == false)
        #expect(
            answer["streams"] == []
                && answer["conclusion"]?.string?.hasPrefix("The box reads no files of the kind hls") == true)
    }

    /// Loopback has a network, and nobody sends there.
    @Test func aGroupOnWhichNothingIsHeard() {
        #expect(problem("udp://127.0.0.1:39871") == "nothing was heard on 127.0.0.1:39871 in 3 s")
    }

    @Test func aServerThatIsNotThere() {
        #expect(problem("http://127.0.0.1:1/film.mp4")?.hasPrefix("http://127.0.0.1:1/film.mp4: ") == true)
    }
}
