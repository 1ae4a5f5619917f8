// SPDX-License-Identifier: Apache-2.0
import Programming
import Scene
import TestSupport
import Testing
import Time
import Timelines
import Venue

@testable import Playback

/// Several regions and what goes wrong in them, with media threads that only write down what is asked of them.
struct RegionDirectoryTests {
    private let regions = Regions()
    private var directory: RegionDirectory { regions.directory }

    // MARK: Regions

    @Test func regionsKeepTheirPlayers() throws {
        #expect(regions.arrange("side", "low").joining == ["side", "low"])
        let side = try #require(directory["side"])
        regions.plays("One", in: "side")
        #expect(regions.arrange("low", "side", "ad").joining == ["ad"])
        #expect(directory.all.map(\.name) == ["main", "low", "side", "ad"])
        #expect(directory["side"] === side)
        let change = directory.replace(with: [("ad", nil)])
        #expect(change.leaving.map(\.name) == ["low", "side"])
        #expect(side.player.isOpen, "replacing stops nothing")
        directory.stop(side)
        #expect(regions.open.isEmpty)
        #expect(!regions.taken.contains("SLATE side"), "a region that is not there shows no slate")
        _ = directory.replace(with: [("side", LayoutStrategy(name: "alarm", layer: .emergency))])
        let again = try #require(directory["side"])
        #expect(again !== side && again.strategy?.name == "alarm")
    }

    @Test func addressing() throws {
        _ = regions.arrange("side")
        let (first, second) = (try #require(regions.tune("One")), try #require(regions.tune("Two", in: "side")))
        #expect(try directory.addressed() === directory.main)
        #expect(try directory.addressed(region: "side").name == "side")
        #expect(try directory.addressed(session: second).name == "side", "a session says its region")
        #expect(throws: Status.failure(.failed, "session 2 is discarded: expected the open one (1)")) {
            try directory.addressed(region: "main", session: second)
        }
        #expect(
            throws: Status.failure(.failed, "region 'top' is not on the stage: expected one of main, side")
        ) { try directory.addressed(region: "top", session: first) }
        directory.stop(directory.main)
        #expect(throws: Status.failure(.failed, "session 1 is discarded: expected the open one (none)")) {
            try directory.addressed(session: first)
        }
    }

    /// PLAY-13: a number is never used again, and what is reported late of a closed session changes nothing.
    @Test func lateReports() throws {
        _ = regions.arrange("side")
        let (first, second) = (regions.tune("One"), regions.tune("Two", in: "side"))
        let third = try #require(regions.tune("Three"))
        #expect([first, second, third] == [1, 2, 3])
        _ = regions.taken
        directory.control(.report(.failed(session: 1, why: "late")), of: 1)
        directory.control(.firstPicture(session: 1, epoch: 0), of: 1)
        #expect(regions.taken.isEmpty)
        #expect(directory.region(of: 1) == nil && directory.region(of: third) === directory.main)
    }

    // MARK: Accidents

    /// The consumers are told in order, and of a session that never opened as well.
    @Test func openingFails() {
        let regions = Regions { $0.fallback = .defaultChannel("Default") }
        regions.failures = ["One": "no such device"]
        regions.tune("One")
        #expect(
            regions.taken == [
                "main: One open", "started 1 main", "opening 1 main", "main: One stop", "ended 1 main", "CLOSE 1",
                "main: One close", "main: Default open", "started 2 main", "opening 2 main", "OPEN 2 Default in main",
            ])
        #expect(regions.open == [2])
    }

    /// Both the channel and its fall-back fail: the slate is shown, and the fall-back is tried again later.
    @Test func everythingFails() {
        let regions = Regions { $0.fallback = .defaultChannel("Default") }
        regions.failures = ["One": "no such device", "Default": "no such device"]
        regions.tune("One")
        #expect(regions.taken.last == "SLATE main")
        #expect(regions.open.isEmpty && regions.directory.main.player.showsSlate)
        regions.failures = [:]
        regions.pass(.seconds(11))
        regions.directory.tick()
        #expect(regions.open == [3], "the fall-back is tried again")
    }

    /// SVM-42 and SVM-99: too many sessions, and a lock, are failures of the session that is not opened.
    @Test func refusals() {
        let regions = Regions(sessionLimit: 1)
        let directory = regions.directory
        _ = regions.arrange("side")
        regions.plays("One")
        #expect(directory.refusal(of: nil, in: directory.main) == nil, "what plays there would make room")
        let full = "1 sessions are open: expected fewer than playback.sessionLimit (1)"
        #expect(directory.refusal(of: nil, in: directory["side"])?.errorString == full)
        #expect(directory.refusal(of: nil, in: nil)?.errorString == full)
        var failures: [String] = []
        directory.addConsumer(
            SessionConsumer(
                "failures",
                emitted: { event, _ in
                    if case .session(_, .fail(let failure)) = event { failures.append(failure.why) }
                }))
        regions.tune("Two", in: "side")
        directory.stop(directory.main)
        regions.refusal = "64 closed sessions have not ended yet"
        regions.tune("Two", in: "side")
        directory.lock = { .failure(.failed, "venue 'Arena' is not heard") }
        regions.tune("Two", in: "side")
        #expect(
            failures == [
                "1 sessions are open: expected fewer than playback.sessionLimit (1)",
                "64 closed sessions have not ended yet", "venue 'Arena' is not heard",
            ])
        #expect(regions.open.isEmpty)
        #expect(!regions.taken.contains("opening 2 side"))
    }

    /// SVM-38: what would exceed the nominal bandwidth is refused; a channel that plays already counts once.
    @Test func bandwidth() throws {
        func channel(_ name: String, _ kbps: Int) -> Channel {
            var channel = Trace.channel(name)
            channel.bandwidthKbps = kbps
            return channel
        }
        _ = regions.arrange("side", "low")
        let (side, low) = (try #require(directory["side"]), try #require(directory["low"]))
        let (one, two, three) = (channel("One", 4_000), channel("Two", 5_000), channel("Three", 4_001))
        directory.bandwidthLimitKbps = 9_000
        directory.control(.tune(one), in: directory.main)
        #expect(directory.refusal(of: .live(two), in: side) == nil, "as much as there may be")
        directory.control(.tune(two), in: side)
        #expect(directory.refusal(of: .live(one), in: low) == nil, "it is received already")
        #expect(directory.refusal(of: .live(channel("Odd", 0)), in: low) == nil, "nobody knows its rate")
        #expect(directory.refusal(of: .file(path: "/a.mp4"), in: low) == nil)
        var told: [RegionDirectory.Refusal] = []
        directory.emitRefusal = { told.append($0) }
        let why = "channels of 13001 kbit/s would play: expected at most playback.bandwidthLimitKbps (9000)"
        let refusal = thrown(Status.self) { try directory.admit(.live(three), called: "Three", in: low) }
        #expect(refusal?.errorString == why)
        #expect(told == [RegionDirectory.Refusal("Three", in: "low", why: why)])
        #expect(directory.refusal(of: .live(three), in: side) == nil, "instead of what plays there")
        // A controller that goes on by itself is not let past the limit either.
        _ = regions.taken
        directory.control(.tune(three), in: low)
        #expect(!regions.taken.contains { $0.hasPrefix("OPEN") } && regions.open == [1, 2])
        directory.stop(side)
        #expect(directory.refusal(of: .live(three), in: low) == nil, "a session that ends makes room")
        directory.bandwidthLimitKbps = nil
        #expect(directory.refusal(of: .live(two), in: side) == nil)
    }

    /// SVM-42: where nothing but decoders of the machine may decode, no more sessions are admitted than they take.
    @Test func decoders() throws {
        _ = regions.arrange("side")
        directory.environment.decodedLimit = { 1 }
        #expect(directory.refusal(of: nil, in: directory.main) == nil)
        regions.plays("One")
        let why = """
            1 sessions have a decoder each: expected fewer than the decoders take (1), because playback.decoding is hardware
            """
        #expect(directory.refusal(of: nil, in: directory["side"])?.errorString == why)
        #expect(directory.refusal(of: nil, in: directory.main) == nil, "what plays there makes room")
        directory.environment.decodedLimit = { nil }
        #expect(directory.refusal(of: nil, in: directory["side"]) == nil)
    }

    // MARK: Registry

    /// PLAY-01, 19: what a source leads to is what the provider of its delivery says.
    @Test func providers() {
        let (file, stream) = (Source(.file, "/a.mp4"), Source(.hls, "http://x/a.m3u8"))
        #expect(directory.offer(file) == .file(path: "/a.mp4") && directory.offer(stream) == nil)
        directory.setProvider(of: .hls) { .file(path: "/cache/" + $0.location) }
        #expect(directory.offer(stream) == .file(path: "/cache/http://x/a.m3u8"))
        let video = Video("Film", sources: [file, stream])
        directory.policy.sources = .reference
        directory.setPolicy(directory.policy)
        directory.control(.setVideos([video]), in: directory.main)
        #expect(directory.main.player.current?.source == .file(path: "/cache/http://x/a.m3u8"))
        #expect(directory.main.player.current?.origin == stream)
    }

    /// PLAY-23: a consumer has the reports of every session before its controller has.
    @Test func consumersTakeReports() throws {
        let session = try #require(regions.tune("One"))
        var heard: [String] = []
        directory.addConsumer(
            SessionConsumer(
                "reports",
                reported: { report, region in
                    let isReady = region.player.current?.isReady == true
                    heard.append("\(report.session) \(region.name) \(isReady)")
                }))
        directory.take(.ready(session: session, duration: nil))
        directory.take(.timeTold(session: session, StreamTime(utc: .init(nanoseconds: 0), arrival: regions.now)))
        directory.take(.ended(session: session + 1))
        #expect(heard == ["1 main false", "1 main true"])
    }

    /// PLAY-02, 38: a controller is made with a strategy or without; a strategy adds consumers to its sessions alone.
    @Test func consumersOfAStrategy() {
        let bar = LayoutStrategy(
            name: "bar", layer: .advertisement, regions: [Region(name: "ad")], consumers: ["proof", "nobody"])
        var heard: [String] = []
        directory.offerConsumer(
            SessionConsumer(
                "proof", started: { session, _ in heard.append("started \(session.name)") },
                ended: { session, _, _ in heard.append("ended \(session.name)") }))
        _ = directory.replace(with: [("ad", bar), ("side", nil)])
        #expect(directory["ad"]?.strategy == bar && directory["side"]?.strategy == nil)
        for (name, region) in [("One", "main"), ("Two", "ad"), ("Three", "side")] { regions.plays(name, in: region) }
        regions.tune("Four", in: "ad")
        #expect(heard == ["started Two", "ended Two", "started Four"])
    }

    // MARK: Order

    /// An input that a consumer gives while actions are performed waits until these have been performed.
    @Test func inputsFromWithin() {
        _ = regions.arrange("side")
        regions.plays("One")
        directory.addConsumer(
            SessionConsumer(
                "follows",
                ended: { [unowned regions] session, _, _ in
                    if session.name == "One" { regions.tune("One", in: "side") }
                }))
        regions.tune("Two")
        #expect(
            regions.taken == [
                "main: One stop", "ended 1 main", "CLOSE 1", "main: One close", "main: Two open", "started 2 main",
                "opening 2 main", "OPEN 2 Two in main", "side: One open", "started 3 side", "opening 3 side",
                "OPEN 3 One in side",
            ])
    }

    // MARK: Seeks

    @Test func eachSeekIsAnsweredOnce() throws {
        let session = try #require(regions.plays("One"))
        var answers: [String] = []
        func seek(_ name: String, _ request: SeekRequest) {
            directory.seek(request, in: directory.main) { result in
                switch result {
                case .success(let outcome): answers.append("\(name): \(outcome)")
                case .failure(let error): answers.append("\(name): \(error)")
                }
            }
        }
        directory.environment.position = { _ in
            var position = PlaybackPosition()
            position.available = .seconds(30)
            return position
        }
        seek("first", .absolute(.seconds(5)))
        seek("second", .absolute(.seconds(9)))
        #expect(answers == ["first: interrupted"])
        directory.control(.firstPicture(session: session, epoch: 1), of: session)
        #expect(answers.count == 1, "that picture is of the seek before")
        directory.control(.firstPicture(session: session, epoch: 2), of: session)
        #expect(answers.count == 2 && answers.last?.hasPrefix("second: behindLive") == true)
        seek("third", .absolute(.seconds(9)))
        regions.pass(.seconds(6))
        directory.tick()
        #expect(answers.last == "third: timedOut")
        seek("fourth", .absolute(.seconds(9)))
        regions.tune("Two")
        #expect(answers.last == "fourth: sessionEnded")
        directory.stop(directory.main)
        seek("fifth", .live)
        #expect(answers.last == "fifth: noSession" && answers.count == 5)
    }

    /// Whoever is answered may ask again at once.
    @Test func seekFromAnAnswer() {
        var answers: [SeekError] = []
        func ask(_ rest: Int) {
            directory.seek(.live, in: directory.main) { result in
                if case .failure(let error) = result { answers.append(error) }
                if rest > 0 { ask(rest - 1) }
            }
        }
        ask(2)
        #expect(answers == [.noSession, .noSession, .noSession])
    }

    // MARK: Sound alone

    /// The mixer is polled while a session waits for its sound, and no longer than that.
    @Test func soundAlone() throws {
        let sound = StreamInfo(
            program: 1, pid: 256, codec: "aac", language: nil, isVideo: false, isPlayed: true)
        let session = try #require(regions.tune("Radio"))
        #expect(regions.timerCount == 0)
        directory.control(.report(.ready(session: session, duration: nil)), of: session)
        directory.control(.report(.streamsChanged(session: session, [sound])), of: session)
        #expect(regions.timerCount == 1)
        regions.pass(.milliseconds(50))
        #expect(regions.timerCount == 1 && directory.main.player.isPlaying == false)
        directory.control(.tick, in: directory.main)
        #expect(regions.timerCount == 1, "one check at a time")
        regions.heard = [session: 0]
        regions.pass(.milliseconds(50))
        #expect(directory.main.player.isPlaying && regions.timerCount == 0)
        #expect(regions.taken.last == "main: Radio play")
        directory.control(.starved(session: session), of: session)
        #expect(regions.timerCount == 1, "it waits again")
        directory.stop(directory.main)
        regions.pass(.milliseconds(50))
        #expect(regions.timerCount == 0)
    }

    // MARK: Visibility

    /// A hidden region holds its session; a command and the viewport both have to show it.
    @Test func visibility() {
        regions.plays("One")
        directory.main.isInSight = false
        directory.applyVisibility(of: directory.main)
        directory.main.isWished = false
        directory.main.isInSight = true
        directory.applyVisibility(of: directory.main)
        #expect(regions.taken.filter { $0.contains("setVisible") } == ["perform 1 setVisible(false)"])
        #expect(directory.main.player.isPlaying == false)
        directory.main.isWished = true
        directory.applyVisibility(of: directory.main)
        #expect(directory.main.player.isPlaying)
    }
}
