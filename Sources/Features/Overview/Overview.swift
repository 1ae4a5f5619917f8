// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import LineUp
import Playback
import Reporting
import Settings
import Shapes
import System
import Time
import Venue

/// The feature that shows at a glance what the box is doing.
public final class Overview: Feature {
    public static let summary = "what the box is doing, at a glance; the command `status`"

    /// What no view of the context has. The product provides this value.
    public struct Sources {
        public var boxID: String
        /// Volume of the mix of all regions; `level` is 0...100.
        public var volume: () -> (level: Int, isMuted: Bool)
        /// Name of the layout on the stage.
        public var layout: () -> String
        public var http: () -> HTTP
        /// Whether an output shows the stage to people.
        public var isStageActive: () -> Bool

        public init(
            boxID: String, volume: @escaping () -> (level: Int, isMuted: Bool), layout: @escaping () -> String,
            isStageActive: @escaping () -> Bool, http: @escaping () -> HTTP
        ) {
            self.boxID = boxID
            self.volume = volume
            self.layout = layout
            self.isStageActive = isStageActive
            self.http = http
        }
    }

    /// Where the HTTP API is served, and what callers by TLS pin.
    public struct HTTP: Sendable {
        /// nil if it is not served without TLS.
        public var port: UInt16?
        /// nil if it is not served by TLS.
        public var securePort: UInt16?
        /// SHA-256 of the certificate.
        public var fingerprint = ""

        public init(port: UInt16? = nil, securePort: UInt16? = nil, fingerprint: String = "") {
            self.port = port
            self.securePort = securePort
            self.fingerprint = fingerprint
        }
    }

    public static var commands: [Handler<Overview>] { [Handler(ShowStatus.self)] }

    private let started = SystemClock.monotonic()
    private var settings: Settings
    private let sources: Sources
    private let regions: RegionDirectory
    private let lineUp: LineUpView
    private let health: HealthView
    private let zone: LocalZone
    private let clock: DisplayedClock

    public init(_ context: FeatureContext) throws(Status) {
        settings = context.provided(Settings.self)
        sources = context.provided(Sources.self)
        regions = context.provided(RegionDirectory.self)
        lineUp = context.provided(LineUpView.self)
        health = context.provided(HealthView.self)
        zone = context.provided(LocalZone.self)
        clock = context.provided(DisplayedClock.self)
        context.settings.follow(["box", "network", "output"]) { [weak self] new, _ in self?.settings = new }
    }

    var report: StatusReport {
        let (player, now, volume) = (regions.main.player, SystemClock.wall(), sources.volume())
        let output = settings.output
        return StatusReport(
            boxID: sources.boxID, boxName: settings.boxName,
            address: HostAddress.first(of: settings.network.interface ?? "") ?? "none",
            uptime: SystemClock.monotonic() - started, service: health.snapshot.state, current: player.current,
            absence: player.current.flatMap { health.snapshot.absences[$0.id] },
            isOpen: player.isOpen, isPlaying: player.isPlaying, isVisible: regions.main.isShown,
            isBackgroundPlaybackAllowed: player.isBackgroundPlaybackAllowed, volume: volume.level,
            isMuted: volume.isMuted, channelCount: lineUp.current.channelCount,
            streamerCount: lineUp.current.streamers.count, layout: sources.layout(),
            isStageActive: sources.isStageActive(),
            output: "\(output.kind.rawValue) \(output.mounting.stage(on: output.screen))", http: sources.http(),
            time: now, localTime: zone.rules.text(of: now), displayedTimeSource: clock.time.source)
    }
}
