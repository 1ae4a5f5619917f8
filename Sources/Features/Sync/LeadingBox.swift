// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Playback
import Synchronisation
import System
import Time
import Timelines
import Venue

/// Serves the channel that the main region presents as a PTS timeline, which other boxes follow as they follow a
/// television. What a command does here, all do: a pause, a rewind, the return to live. A file is not served.
///
/// Boxes that need longer than this one until a picture can be shown say so, and this one waits for them.
/// - Thread: the control loop's only.
final class LeadingBox {
    private static let pause = Nanoseconds.milliseconds(100)
    /// For longer than this no picture stands where the history reaches as far: the session jumps back.
    private static let longestWait = SyncConfiguration().longestWait

    private let regions: RegionDirectory
    private let loop: EventLoop
    let services: CompanionServices
    private var timer: EventLoop.Timer?
    /// Whether the box may be followed. In a group one box may.
    private var isOpen = true
    /// Where the timeline was told to be last; nil if it was not available.
    private var told: ControlTimestamp?
    private var delay = LeadingDelay()
    /// The session that leads; nil if none does.
    private var led: Int?

    init(
        at places: CompanionServices.Places, _ regions: RegionDirectory, loop: EventLoop
    ) throws(SystemCallError) {
        self.regions = regions
        self.loop = loop
        services = try CompanionServices(at: places, loop: loop)
        timer = loop.every(Self.pause) { [weak self] in self?.publish() }
        // The first who comes is told all there is.
        publish()
    }

    var informationURL: WebSocketURL? { services.informationURL }
    var url: String? { informationURL?.description }
    var followers: Int { services.clientCounts.timeline }

    /// The timeline as it was told last, for this box itself to follow; nil if there is none.
    func ownTimeline(at now: Monotonic) -> HeldTimeline? {
        guard let told, let timeline = FollowedTimeline(told, of: .pts, TimelineProperties(.mpeg)) else { return nil }
        return HeldTimeline(
            timeline: timeline, clock: .own(at: now), medium: ClockCorrelation(parentTicks: 0, ticks: 0), heard: now)
    }

    /// Followers are refused while the box is not open to them, and sent away when it closes. Its wall clock goes on.
    func setOpen(_ isOpen: Bool) {
        guard isOpen != self.isOpen else { return }
        self.isOpen = isOpen
        if !isOpen { led = nil }
        services.setEnabled(isOpen)
        publish()
    }

    /// - Parameter report: called when the ports are free again.
    func stop(by ending: ThreadEnding, then report: @escaping () -> Void) {
        if let timer { loop.cancel(timer) }
        timer = nil
        if let led { regions.environment.perform(led, .steer(nil)) }
        led = nil
        services.stop(by: ending, then: report)
    }

    /// Tells the followers what is presented now, if that is anything new.
    func publish() {
        guard isOpen else { return }
        let now = regions.environment.now()
        lead(regions.main.player.current?.id)
        var information = ContentInformation()
        information.presentationStatus = PresentationStatus(.okay)
        information.timelines = [TimelineOption(.pts, TimelineProperties(.mpeg))]
        var timelines = PublishedTimelines()
        if let session = regions.main.player.current, let channel = session.source.channel {
            information.contentID = Self.contentID(of: channel)
            information.contentIDStatus = .final
            timelines.contentID = information.contentID
            let timeline = timeline(of: session, at: now)
            timelines.timelines[.pts] = timeline
            told = timeline.timestamp
        } else {
            told = nil
            information.timelines = []
        }
        services.publish(information, timelines)
        waitForFollowers(at: now)
    }

    /// The same on every box that hears the channel.
    static func contentID(of channel: Channel) -> String { "urn:touchline:channel:\(channel.id.text)" }

    private func timeline(of session: PlayingSession, at now: Monotonic) -> PublishedTimelines.Timeline {
        let properties = TimelineProperties(.mpeg)
        guard session.hasStarted, !session.isBuffering, let position = regions.environment.position(session.id),
            let correlation = position.correlation
        else { return PublishedTimelines.Timeline(properties, nil) }
        let place = MediaPlace(correlation, delay: position.delay, heldAt: position.heldAt)
        let presented =
            place.heldAt == nil
            ? place.presented(at: now) : place.held(regions.environment.shownPicture(session.id))
        let ticks = TickRate.mpeg.ticks(presented) & (StampSpan.stamps - 1)
        let movement = ControlTimestamp.Movement(contentTime: ticks, speed: session.isPaused ? 0 : 1)
        return PublishedTimelines.Timeline(
            properties, ControlTimestamp(wallClockTime: services.wallClock(at: now), movement: movement),
            appliedDelay: position.behindLive)
    }

    /// Goes further behind live if a follower needs it.
    private func waitForFollowers(at now: Monotonic) {
        guard regions.main.player.isPlaying, let session = regions.main.player.current, !session.isSeeking,
            let position = regions.environment.position(session.id),
            let growth = delay.growth(to: services.commonDelay(of: .pts), applied: position.behindLive, at: now)
        else { return }
        if growth > Self.longestWait, position.behindLive + growth <= position.available {
            regions.seek(.shift(.zero - growth), in: regions.main) { _ in }
        } else {
            regions.control(.putOff(growth), in: regions.main)
        }
    }

    /// The session plays by its own clock, which others follow from now on.
    private func lead(_ session: Int?) {
        guard session != led else { return }
        led = session
        delay = LeadingDelay()
        if let session { regions.environment.perform(session, .steer(0)) }
    }
}
