// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Hosting
import JSON
import Shapes
import Synchronisation
import Time
import Timelines
import Venue

/// How the box follows a television's timeline (DVB-CSS, ETSI TS 103 286-2).
struct SyncSettings: SettingsSection {
    enum Leader: String, Sendable, CaseIterable { case television, box }
    enum WithoutTimeline: String, Sendable, CaseIterable { case play, pause }

    static let name = "sync"
    static let help = "Following the timeline of a television or of another box, by DVB-CSS."

    /// The URL of CSS-CII; nil follows nobody, unless `stated` says where the services are.
    var television: WebSocketURL?
    var stated: StatedTelevision?
    /// By preference, the best first; empty for the first one that is offered (CSS-28).
    var selectors = ["urn:dvb:css:timeline:pts"]
    /// Which medium belongs to which content (CSS-32).
    var media: [SyncMedium] = []
    var leader = Leader.television
    var serve = SyncServices()
    var group = SyncGroupSettings()
    var discovery = DiscoverySettings()
    var strategy = SyncConfiguration.Strategy.adapt
    var deadBandMs: Int64 = 20
    var intervalMs: Int64 = 4_000
    var jumpMs: Int64 = 60
    var calibrationMs: Int64 = 0
    var withoutTimeline = WithoutTimeline.play

    static let shape = Shape<Self>([
        .setting(
            "television", \.television, .absentOr(.webSocketURL), .atOnce,
            "URL of the CSS-CII service of a television or of a leading box; absent: none is followed."),
        .setting(
            "stated", \.stated, .absentOr(.record), .atOnce,
            "A television without CSS-CII: where its services are. It counts if `television` is absent."),
        .setting(
            "selectors", \.selectors, .list(of: .text(1...1_024), 0...16), .atOnce,
            "Timelines by preference; empty: the first one that is offered."),
        .setting(
            "media", \.media, .list(of: .record, 0...256), .atOnce,
            """
            Which medium belongs to which content. Without an entry time stamps of a PTS timeline are those of the \
            channel, a TEMI timeline is where the stream itself says, and other timelines begin with the medium.
            """),
        .setting(
            "leader", \.leader, .choice, .atOnce,
            "Who is followed: a television, or a box beside this one, to which it keeps as narrowly as the clock allows."
        ),
        .group("serve", \.serve, "Whether other boxes can follow this one."),
        .group("group", \.group, "Boxes that elect among them whom all follow."),
        .group("discovery", \.discovery, "Televisions that are found on the link, and the box found there."),
        .setting(
            "strategy", \.strategy, .choice, .atOnce,
            "adapt: by rate, which nobody hears, and by jumps beyond `jumpMs`; seek: by jumps alone."),
        .setting("deadBandMs", \.deadBandMs, .integer(1...1_000), .atOnce, "Errors up to this are left alone."),
        .setting(
            "intervalMs", \.intervalMs, .integer(500...60_000), .atOnce, "How often the strategy seek looks."),
        .setting("jumpMs", \.jumpMs, .integer(10...10_000), .atOnce, "Errors beyond this are jumped over."),
        .setting(
            "calibrationMs", \.calibrationMs, .integer(-1_000...1_000), .atOnce,
            "How much later than the box knows light and sound leave the display and the loudspeakers."),
        .setting(
            "withoutTimeline", \.withoutTimeline, .choice, .atOnce, "What a session does when the timeline is lost."),
    ])

    var problems: [Problem] {
        servingProblems + statedProblems + group.problems(in: self) + discovery.problems(serving: serve)
    }

    private var servingProblems: [Problem] {
        guard serve.isEnabled, serve.addresses.isEmpty else { return [] }
        return [
            Problem(
                path: "/serve/addresses", value: .array([]),
                expectation: "an address of the box at least, as serve.isEnabled is true")
        ]
    }

    private var statedProblems: [Problem] {
        guard let stated, let rate = TimelineSelector(stated.selector).tickRate else { return [] }
        // Both are at most 10⁹.
        guard stated.unitsPerSecond != rate.ticksPerSecond * stated.unitsPerTick else { return [] }
        return [
            Problem(
                path: "/stated/unitsPerSecond", value: .integer(stated.unitsPerSecond),
                expectation: "\(rate.ticksPerSecond) times unitsPerTick, as the selector says")
        ]
    }

    var configuration: SyncConfiguration {
        var configuration = SyncConfiguration()
        configuration.strategy = strategy
        configuration.leader = leader == .box || group.isUsed ? .box : .television
        configuration.threshold = .milliseconds(deadBandMs)
        configuration.jumpThreshold = .milliseconds(max(jumpMs, deadBandMs))
        configuration.interval = .milliseconds(intervalMs)
        configuration.outputDelay = .milliseconds(calibrationMs)
        configuration.withoutTimeline = withoutTimeline == .play ? .freeRun : .pause(after: .seconds(2))
        return configuration
    }

    /// nil if nobody is followed.
    var companion: CompanionSettings? {
        if let television {
            return CompanionSettings(
                .described(
                    by: television, selectors: selectors.map { TimelineSelector($0) },
                    stems: media.filter(\.isRequired).map { ContentIDStem($0.contentId) }))
        }
        return stated?.stated.map { CompanionSettings(.stated($0)) }
    }

    /// The correlation of the medium that belongs to the content: of several entries that match the longest counts.
    /// Without one PTS timelines count as their channel does, and others begin with the medium.
    /// - Parameter contentID: nil if the television has not told it; then it is what the settings state.
    func medium(of contentID: String?) -> ClockCorrelation {
        let entry = entry(of: contentID)
        return ClockCorrelation(parentTicks: entry?.timelineTicks ?? 0, ticks: entry?.mediaTicks ?? 0)
    }

    /// The same where the stream may carry the timeline itself.
    /// - Returns: nil while nothing relates the medium to the timeline: the stream is to carry it and does not yet.
    func medium(
        of contentID: String?, on timeline: FollowedTimeline?, carried: [CarriedTimeline.ID: CarriedTimeline]
    ) -> ClockCorrelation? {
        guard let timeline, case .temi(let tag, let number) = timeline.selector, entry(of: contentID) == nil else {
            return medium(of: contentID)
        }
        let told = carried[CarriedTimeline.ID(componentTag: tag, number: number)]
        // Ticks of another rate are not those that the television counts.
        return told.flatMap { ClockRate(unitsPerSecond: $0.rate) == timeline.rate ? $0.medium : nil }
    }

    private func entry(of contentID: String?) -> SyncMedium? {
        let contentID = contentID ?? (television == nil ? stated?.contentIdStem : nil)
        let matching = media.filter { ContentIDStem($0.contentId).matches(contentID) }
        return matching.max { $0.contentId.utf8.count < $1.contentId.utf8.count }
    }
}

/// Serving the timeline of what the box plays.
struct SyncServices: Record {
    var isEnabled = false
    var addresses: [NumericAddress] = []
    var port: UInt16 = 7_681
    var wallClockPort: UInt16 = 6_677
    var delayMs: Int64 = 300

    static let shape = Shape<Self>([
        .setting("isEnabled", \.isEnabled, .boolean, .atOnce, "Whether the box serves what it plays."),
        .setting(
            "addresses", \.addresses, .list(of: .numericAddress, 0...8), .atOnce,
            "Of interfaces of the box; only there it is served. The first one is told to the followers."),
        .setting("port", \.port, .integer(0...65_535), .atOnce, "TCP port of CSS-CII and CSS-TS; 0 takes a free one."),
        .setting(
            "wallClockPort", \.wallClockPort, .integer(0...65_535), .atOnce,
            "UDP port of the wall clock; 0 takes a free one."),
        .setting(
            "delayMs", \.delayMs, .integer(0...10_000), .atOnce,
            """
            How much later than it could the box presents the channels that it opens, so that followers that need longer \
            can present with it at once. One that needs longer still is waited for.
            """),
    ])

    /// How much later sessions of channels present.
    var headroom: Nanoseconds { isEnabled ? .milliseconds(delayMs) : .zero }

    /// nil while nothing is served.
    var places: CompanionServices.Places? {
        guard isEnabled, !addresses.isEmpty else { return nil }
        return CompanionServices.Places(addresses, port: port, wallClockPort: wallClockPort)
    }
}

/// One content, and how its timeline relates to the medium that the box plays.
struct SyncMedium: Record {
    var contentId = ""
    /// What a JSON number holds exactly; thousands of years.
    private static let ticks: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

    var timelineTicks: Int64 = 0
    var mediaTicks: Int64 = 0
    var isRequired = false

    static let shape = Shape<Self>([
        .required("contentId", \.contentId, .text(0...2_048), "How the content's identifier begins."),
        .member("timelineTicks", \.timelineTicks, .integer(ticks), "A place of the timeline, in its ticks."),
        .member("mediaTicks", \.mediaTicks, .integer(ticks), "The time stamp of the medium at that place, 90 kHz."),
        .member(
            "isRequired", \.isRequired, .boolean,
            "Whether only content of the entries with this mark is followed; if none has it, all is."),
    ])
}

/// What the first message of CSS-CII would tell (CSS-24).
struct StatedTelevision: Record {
    var wcUrl: WallClockURL?
    var tsUrl: WebSocketURL?
    var contentIdStem = ""
    var selector = "urn:dvb:css:timeline:pts"
    var unitsPerTick: Int64 = 1
    var unitsPerSecond: Int64 = 90_000

    static let shape = Shape<Self>([
        .required("wcUrl", \.wcUrl, .absentOr(.wallClockURL), "Of the wall clock."),
        .required("tsUrl", \.tsUrl, .absentOr(.webSocketURL), "Of CSS-TS."),
        .member("contentIdStem", \.contentIdStem, .text(0...2_048), "Of the content; empty for any."),
        .member("selector", \.selector, .text(1...1_024), "Of the timeline."),
        .member("unitsPerTick", \.unitsPerTick, .integer(TimelineProperties.units), "Of the timeline."),
        .member("unitsPerSecond", \.unitsPerSecond, .integer(TimelineProperties.units), "Of the timeline."),
    ])

    /// nil if a URL is missing, which the kind of the field refuses.
    var stated: CompanionSettings.Stated? {
        guard let wcUrl, let tsUrl else { return nil }
        return CompanionSettings.Stated(
            wcURL: wcUrl, tsURL: tsUrl, contentIDStem: ContentIDStem(contentIdStem),
            timeline: TimelineOption(
                TimelineSelector(selector),
                TimelineProperties(unitsPerTick: unitsPerTick, unitsPerSecond: unitsPerSecond)))
    }
}

extension SyncConfiguration.Strategy: CaseIterable {
    public static let allCases: [Self] = [.adapt, .seek]
}

extension Codec where Value == NumericAddress {
    static var numericAddress: Codec {
        let format = TextFormat(
            "an address of a host", schema: ["anyOf": [["format": "ipv4"], ["format": "ipv6"]]]
        ) { NumericAddress($0)?.isUnicast ?? false }
        return .formatted(format, parse: { NumericAddress($0) }, text: { "\($0)" })
    }
}

extension TextFormat {
    static let webSocketURL = TextFormat(
        "a URL like ws://192.0.2.1:7681/cii", schema: ["pattern": "^ws://[!-~]+$", "maxLength": 2_048]
    ) { text in WebSocketURL(text).map { !$0.isSecure } ?? false }
}

extension Codec where Value == WebSocketURL {
    static var webSocketURL: Codec { .formatted(.webSocketURL, parse: { WebSocketURL($0) }, text: \.description) }
}

extension Codec where Value == WallClockURL {
    static var wallClockURL: Codec {
        let format = TextFormat(
            "a URL like udp://192.0.2.1:6677", schema: ["pattern": "^udp://[!-~]+$", "maxLength": 2_048]
        ) { WallClockURL($0) != nil }
        return .formatted(format, parse: { WallClockURL($0) }, text: \.description)
    }
}
