// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import LineUp
import Mixing
import Playback
import Presentation
import Reporting
import Scene
import Settings
import Shapes
import System
import Testing
import Time
import Venue

@testable import Layouts

/// The feature under test, with a stage and media threads that only write down what is asked of them.
final class Stand: ChannelTuner {
    let regions: RegionDirectory
    let sounds = RegionSounds(mix: RegionSound(), main: RegionPlayer.main)
    let health = HealthView()
    let loop: EventLoop
    /// It is not kept: there is no such directory.
    let identity: BoxIdentity
    private let store: SettingsStore
    private let lineUp: LineUpView
    let catalogue = Catalogue(FeatureDeclarations([Layouts.self]).commands)
    var host: FeatureHost?
    private let told = Told()
    private(set) var slates: [(region: String, slate: Slate)] = []
    private(set) var stages: [(stage: StageLayout, transition: StageTransition)] = []
    private(set) var screenshots: [Int] = []
    private(set) var styles: [ScreenshotStyle] = []
    private var open: Set<Int> = []
    var size = PixelSize(width: 1_920, height: 1_080)

    private final class Told {
        var events: [(type: String, payload: JSONValue)] = []
    }

    /// The events since `start`.
    var events: [(type: String, payload: JSONValue)] { told.events }

    init(_ document: JSONValue = [:]) throws {
        var context = try FeatureContext.testing(settings: document) { [told] name, payload in
            told.events.append((name, payload))
        }
        let settings = context.provided(Settings.self)
        regions = RegionDirectory(PlaybackPolicy(settings), sessionLimit: settings.playback.sessionLimit)
        lineUp = LineUpView(LineUp(settings: LineUpSettings(settings)))
        loop = context.loop
        store = context.settings
        identity = try BoxIdentity.load(from: "/proc/touchline")
        regions.tuner = self
        regions.environment.sessionCount = { [unowned self] in open.count }
        regions.environment.open = { [unowned self] session, _ in
            open.insert(session.id)
            return nil
        }
        regions.environment.close = { [unowned self] in open.remove($0) }
        context.provide(regions)
        context.provide(sounds)
        context.provide(health)
        context.provide(ClaimNotice())
        context.provide(lineUp)
        context.provide(identity)
        context.provide(
            Layouts.Output(
                size: { [unowned self] in size },
                setLayout: { [unowned self] in stages.append(($0, $1)) },
                show: { [unowned self] in slates.append(($1, $0)) },
                takeScreenshot: { [unowned self] ticket, style in
                    screenshots.append(ticket)
                    styles.append(style)
                }))
        host = try FeatureHost([Layouts.self], context)
        host?.start()
        told.events = []
    }

    /// The answer, which has the form that the catalogue says, or the refusal; null if it is still to come.
    func answer(_ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        var answered = JSONValue.null
        let request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
        _ = host?.handle(request) { result in
            switch result {
            case .success(let answer): answered = answer
            case .failure(let status): answered = .string(status.errorString)
            }
        }
        if answered.object != nil {
            let problems = try catalogue.command(named: name).answer.kind.problems(of: answered)
            #expect(problems.isEmpty, "\(name): \(problems)")
        }
        return answered
    }

    func change(_ patch: JSONValue) throws {
        var outcome: Result<SettingsOutcome, SettingsFailure>?
        store.change(.merge(patch), from: .localSocket) { outcome = $0 }
        _ = try #require(outcome).get()
    }

    /// What was shown since the last time, by region.
    var takenSlates: [String: Slate] {
        defer { slates = [] }
        return Dictionary(slates.map { ($0.region, $0.slate) }, uniquingKeysWith: { $1 })
    }

    func presentPicture(in region: RegionPlayer) throws {
        let session = try #require(region.player.current?.id)
        regions.control(.report(.ready(session: session, duration: nil)), of: session)
        regions.control(.firstPicture(session: session, epoch: 0), of: session)
    }

    // MARK: ChannelTuner

    func checkTunable(_ text: String) throws(Status) {
        guard text.hasPrefix("C") else { throw .failure(.failed, "channel '\(text)' is not in the line-up") }
    }

    func tune(_ text: String, in region: RegionPlayer) throws(Status) {
        let transport = Transport(address: "239.1.1.1", port: 5_000, encapsulation: .raw)
        region.awaitsChannel = nil
        let channel =
            lineUp.current.entry(matching: text)?.channel ?? Channel(id: .init(text), name: text, transport: transport)
        regions.control(.tune(channel), in: region)
    }

    func tuneAwaited() {
        for region in regions.all {
            // A channel that is not there goes on being awaited.
            if let text = region.awaitsChannel, text.hasPrefix("C") { try? tune(text, in: region) }
        }
    }
}
