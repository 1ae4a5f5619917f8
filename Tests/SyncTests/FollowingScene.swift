// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Playback
import Testing
import Time
import Timelines
import Venue

@testable import Sync
@testable import Synchronisation

/// A session that plays a live channel, a television's timeline, and the time that passes for both.
///
/// The session presents the time stamp `now - delay`. Seeks and rates change the delay, and so does a pause.
final class FollowingScene {
    static let step = Nanoseconds.milliseconds(100)
    /// From the session's monotonic clock to the television's wall clock.
    private static let wallClockOffset = Nanoseconds.seconds(5)
    /// The delay before which nothing is complete.
    private static let leastDelay = Nanoseconds.milliseconds(200)

    let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 4)
    private(set) lazy var session = make()
    private(set) var now = Monotonic(nanoseconds: 1_000_000_000_000)
    private(set) var states: [SyncControllerState] = []
    private(set) var rates: [Int?] = []
    private(set) var seeks: [Nanoseconds] = []
    private(set) var waits: [Nanoseconds] = []
    var delay = Nanoseconds.seconds(2)
    /// How far behind live the history reaches.
    var history = Nanoseconds.seconds(30)
    /// How much nearer to live each look finds the session, as if time passed between them.
    var movesBetweenLooks = Nanoseconds.zero
    var answersSeeks = true
    /// Whether it is known which time stamps the session presents.
    var isMeasurable = true
    /// Its time stamp, until a seek shows the picture of the place.
    var shownPicture: Int64?
    private var looks: Int64 = 0
    private var pending: (shift: Nanoseconds, epoch: Int)?
    private let configuration: SyncConfiguration

    /// - Parameter delay: of the session when it begins to play.
    init(delay: Nanoseconds = .seconds(2), _ change: (inout SyncConfiguration) -> Void = { _ in }) throws {
        self.delay = delay
        var configuration = SyncConfiguration()
        change(&configuration)
        self.configuration = configuration
        regions.environment.now = { [unowned self] in now }
        regions.environment.open = { _, _ in nil }
        regions.environment.perform = { [unowned self] in perform($1) }
        regions.environment.position = { [unowned self] _ in position }
        regions.environment.shownPicture = { [unowned self] _ in shownPicture }
        let transport = Transport(address: "239.1.1.1", port: 5_000, encapsulation: .raw)
        regions.control(.tune(Channel(id: .init("One"), name: "One", transport: transport)), in: regions.main)
        #expect(regions.main.player.current?.id == id)
        _ = session
    }

    private func make() -> FollowingSession {
        let session = FollowingSession(
            id, in: regions.main, of: regions, configuration, medium: ClockCorrelation(parentTicks: 0, ticks: 0)
        ) { [unowned self] in states.append($0) }
        session.start()
        return session
    }

    /// Of the session that plays.
    private let id = 1

    var isPaused: Bool { regions.main.player.current?.isPaused ?? false }

    /// The session's first picture is on the screen.
    func present() {
        regions.control(.report(.ready(session: id, duration: nil)), of: id)
        regions.control(.firstPicture(session: id, epoch: 0), of: id)
    }

    /// The session has no picture that is due.
    func starve() { regions.control(.starved(session: id), of: id) }

    // MARK: The television

    private var wallClock: SlewedWallClock {
        let offset = Self.wallClockOffset.count
        let interval = OffsetInterval(lower: offset - 100_000, upper: offset + 100_000, at: now)
        return SlewedWallClock(
            steppingTo: WallClockEstimate(
                instant: now, offset: offset, drift: 0, frequencyError: .ppm(1), interval: interval), at: now)
    }

    /// The television presents what the session would with this delay, at this speed from now on.
    func televisionPresents(delay: Nanoseconds, speed: Double = 1) throws {
        let stamp = TickRate.mpeg.ticks(Nanoseconds((now - delay).nanoseconds))
        let timestamp = ControlTimestamp(
            wallClockTime: WallClockTime(nanoseconds: (now + Self.wallClockOffset).nanoseconds),
            movement: .init(contentTime: stamp & ((1 << 33) - 1), speed: speed))
        let timeline = try #require(FollowedTimeline(timestamp, of: .pts, TimelineProperties(.mpeg)))
        session.follow(timeline, medium: ClockCorrelation(parentTicks: 0, ticks: 0))
    }

    func loseTimeline() { session.follow(nil, medium: ClockCorrelation(parentTicks: 0, ticks: 0)) }

    // MARK: Time

    func pass(_ span: Nanoseconds) {
        for _ in 0..<span.count / Self.step.count {
            now = now + Self.step
            if isPaused {
                delay = delay + Self.step
            } else {
                let faster = Int64(0 - (rates.last.flatMap { $0 } ?? 0))
                delay = max(Self.leastDelay, delay - Nanoseconds(Self.step.count * faster / 1_000_000_000))
            }
            answerSeek()
            session.look(by: wallClock)
        }
    }

    private func answerSeek() {
        guard answersSeeks, let (shift, epoch) = pending else { return }
        (pending, shownPicture) = (nil, nil)
        delay = max(Self.leastDelay, min(history, delay - shift))
        regions.control(.firstPicture(session: id, epoch: epoch), of: id)
    }

    private var position: PlaybackPosition {
        looks += 1
        var position = PlaybackPosition()
        position.behindLive = max(.zero, delay - Self.leastDelay - movesBetweenLooks * looks)
        position.available = history - Self.leastDelay
        position.progress = .seconds(600)
        position.correlation = isMeasurable ? StreamCorrelation(offset: .zero) : nil
        position.delay = delay
        position.heldAt = isPaused ? now : nil
        return position
    }

    private func perform(_ command: SessionCommand) {
        switch command {
        case .steer(let slower): rates.append(slower)
        case .putOff(let span):
            waits.append(span)
            delay = delay + span
        case .seek(.shifted(let shift), let epoch):
            seeks.append(shift)
            pending = (shift, epoch)
        default: break
        }
    }
}
