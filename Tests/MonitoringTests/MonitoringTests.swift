// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import LineUp
import Playback
import Presentation
import Radios
import Reporting
import Scene
import Shapes
import Statistics
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Monitoring

@Suite struct MonitoringTests {
    private final class Media {
        var region = RegionCounters(name: RegionPlayer.main)
        var quality = StreamQuality()
        let presentations = PresentationLog()
        var events: [JSONValue] = []
    }

    private let media = Media()
    private let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 2)
    private let health = HealthView()

    private func makeHost() throws -> FeatureHost {
        var context = try FeatureContext.testing { [media] name, payload in
            #expect(["channels.quality", "session.played"].contains(name))
            media.events.append(payload)
        }
        context.provide(LineUpView(LineUp()))
        context.provide(regions)
        context.provide(health)
        context.provide(RadioView())
        context.provide(
            Monitoring.Media(
                playback: { _ in nil }, region: { [media] _ in media.region }, quality: { [media] _ in media.quality },
                presentations: { [media] in media.presentations.entries(from: $0, atMost: $1) }))
        regions.environment.open = { _, _ in nil }
        let host = try FeatureHost([Monitoring.self], context)
        host.start()
        return host
    }

    private func stats(_ host: FeatureHost, _ arguments: JSONValue = [:]) throws -> JSONValue {
        var answered = Result<JSONValue, Status>.success(.null)
        let request = try CommandRequest(CommandDescription(ShowStatistics.self), arguments: arguments)
        #expect(host.handle(request) { answered = $0 })
        return try answered.get()["stats"] ?? .null
    }

    private func tune(_ name: String, in region: RegionPlayer? = nil) {
        let transport = Transport(address: "239.1.2.3", port: 5_004, encapsulation: .raw)
        let channel = Channel(id: Channel.ID(name), name: name, sessionNumber: 7, transport: transport)
        regions.control(.tune(channel), in: region ?? regions.main)
    }

    /// PLAY-38: of the sessions of a strategy that asks for it, an event says what was shown of each.
    @Test func proofOfPlay() throws {
        let host = try makeHost()
        let bar = LayoutStrategy(
            name: "bar", layer: .advertisement, regions: [Region(name: "ad")], consumers: ["proofOfPlay"])
        let ad = try #require(regions.replace(with: [("ad", bar)]).joining.first)
        media.region.picturesPresented = 5
        tune("Pitch")
        tune("Spot", in: ad)
        media.region.picturesPresented = 80
        regions.stop(regions.main)
        #expect(media.events.isEmpty, "the layout did not ask for it")
        // The stage has no counters of a region that it no longer has.
        regions.control(.pause, in: ad)
        media.region.picturesPresented = 0
        regions.stop(ad)
        let played = try #require(media.events.first)
        #expect(media.events.count == 1 && played["name"] == "Spot" && played["pictures"] == 75)
        #expect(played["region"] == "ad" && played["strategy"] == "bar" && played["session"] == 2)
        let about = try #require(FeatureDeclarations([Monitoring.self]).events.first { $0.type == "session.played" })
        #expect(ValueKind.record(about.payload).problems(of: played).isEmpty)
        host.stop()
    }

    /// Late pictures are those since the session began.
    @Test func figuresOfTheSession() throws {
        let host = try makeHost()
        #expect(try stats(host)["session"] == nil)
        #expect(try stats(host).at("/regions/main/stage") != nil)
        media.region.picturesLate = 5
        tune("Pitch")
        media.region.picturesLate = 8
        var snapshot = HealthView.Snapshot()
        snapshot.lossPPM = [1: 0]
        health.publish(snapshot)
        let session = try #require(try stats(host)["session"])
        #expect(session["announcement"] == 7 && session["droppedPictures"] == 3 && session["linkIndicator"] == 10)
        #expect(try stats(host, ["session": true])["session_link_indicator"] == 10)
        #expect(try stats(host, ["describe": true]).at("/session/droppedPictures/help")?.string != nil)
        let refusal = thrown(Status.self) { try stats(host, ["region": "second"]) }
        #expect(refusal?.errorString == "region 'second' is not on the stage: expected one of main")
        host.stop()
    }

    /// Without a name the session in `main` is at the top.
    @Test func theNamedRegionIsAtTheTop() throws {
        let host = try makeHost()
        let second = try #require(regions.replace(with: [("second", nil)]).joining.first)
        tune("Stand", in: second)
        #expect(try stats(host)["session"] == nil)
        #expect(try stats(host, ["region": "second"]).at("/session/announcement") == 7)
        host.stop()
    }

    /// An alarm is told when it is raised and when it ends, each once, with the region unless it is `main`.
    @Test func alarmsAreToldOnce() throws {
        let host = try makeHost()
        tune("Pitch")
        let now = SystemClock.monotonic()
        host.tick(at: now)
        media.quality.alarms = [StreamIndicator.Set(.pcrInterval), StreamIndicator.Set(.pat)]
        host.tick(at: now)
        host.tick(at: now)
        media.quality.alarms = [StreamIndicator.Set(.pcrInterval)]
        host.tick(at: now)
        #expect(media.events.count == 2)
        #expect(media.events.first?["raised"] == ["pat", "pcrInterval"] && media.events.first?["cleared"] == [])
        #expect(media.events.last?["cleared"] == ["pat"] && media.events.last?["alarms"] == ["pcrInterval"])
        #expect(media.events.allSatisfy { $0["region"] == nil && $0["session"] == 1 })
        #expect(media.events.allSatisfy { QualityChanged.kind.problems(of: $0).isEmpty })
        // Another session begins without alarms, elsewhere.
        let second = try #require(regions.replace(with: [("second", nil)]).joining.first)
        regions.stop(regions.main)
        tune("Stand", in: second)
        host.tick(at: now)
        #expect(media.events.last?["region"] == "second" && media.events.last?["raised"] == ["pcrInterval"])
        host.stop()
    }

    @Test func presentationsAreReadInParts() throws {
        let host = try makeHost()
        for number in 0..<3 {
            let due = Monotonic(nanoseconds: 1_000_000_000 + Int64(number) * 40_000_000)
            media.presentations.add(
                PresentationLog.Entry(session: 1, pts: Int64(number) * 3_600, due: due, visible: due + .milliseconds(2))
            )
        }
        func ask(_ arguments: JSONValue) throws -> JSONValue {
            var answered = Result<JSONValue, Status>.success(.null)
            let request = try CommandRequest(CommandDescription(ShowPresentations.self), arguments: arguments)
            #expect(host.handle(request) { answered = $0 })
            return try answered.get()
        }
        let first = try ask(["limit": 2])
        #expect(first["next"] == 2 && first["presentations"]?.array?.count == 2)
        let rest = try ask(["since": 2])
        #expect(rest["next"] == 3)
        #expect(rest.at("/presentations/0/pts") == 7_200 && rest.at("/presentations/0/lateUs") == 2_000)
        #expect(rest.at("/presentations/0/visibleNs") == 1_082_000_000)
        host.stop()
    }
}
