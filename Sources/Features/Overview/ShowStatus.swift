// SPDX-License-Identifier: Apache-2.0
import Commands
import Playback
import Reporting
import Shapes
import Time
import Timelines
import Venue

struct ShowStatus: Command {
    static let about = About("status", "Show what the box is doing", example: "")
    static let shape = Shape<Self>()

    func run(on overview: Overview) throws(Status) -> StatusReport { overview.report }
}

struct StatusReport: Answer {
    let boxID: String
    let boxName: String
    let address: String
    let uptime: Nanoseconds
    let service: ServiceState
    /// What is open in `main`; nil for nothing.
    let current: PlayingSession?
    /// Why `current` shows no picture; nil while it shows one, or the reason is not known.
    let absence: PictureAbsence?
    let isOpen: Bool
    let isPlaying: Bool
    let isVisible: Bool
    let isBackgroundPlaybackAllowed: Bool
    let volume: Int
    let isMuted: Bool
    let channelCount: Int
    let streamerCount: Int
    let layout: String
    let isStageActive: Bool
    let output: String
    let http: Overview.HTTP
    let time: WallTime
    let localTime: String
    let displayedTimeSource: DisplayedTime.Source

    private var version: String { Build.version }
    private var serviceReason: String? { service.reasons.names.first }
    /// Name, or else number, of the program of `current`.
    private var program: String? {
        guard let number = current?.streams.first?.program, current?.source.channel != nil else { return nil }
        return current?.programs.first { $0.number == number }?.name ?? "\(number)"
    }
    private var isPaused: Bool { current?.isPaused ?? false }

    static let shape = Shape<Self>(ofBox + ofPlayback + ofStage)

    private static let ofBox: [Field<Self>] = [
        .value("boxId", \.boxID, .text, "identity of the box"),
        .value("boxName", \.boxName, .text, "its name in settings"),
        .value("version", \.version, .text, "of the service"),
        .value("address", \.address, .text, "of the interface that it listens on"),
        .value("uptimeMs", \.uptime.milliseconds, .count, "since the service started"),
        .value("serviceState", \.service.name, .choice(["up", "down"]), "up or down"),
        .value("serviceReason", \.serviceReason, .optional(.text), "why it is down"),
    ]
    private static let ofPlayback: [Field<Self>] = [
        .value("channel", \.current?.name, .optional(.text), "name of what is tuned or played, or null"),
        .value("program", \.program, .optional(.text), "SDT name, or else number, of its program, or null"),
        .value(
            "playerState", \.current?.state, .optional(.choice),
            "open, play, rewind, live, stop or close; null when nothing is tuned"),
        .value("noPictureBecause", \.absence?.text, .optional(.text), "why a tuned channel shows no picture, or null"),
        .value("isOpen", \.isOpen, .boolean, "whether a session is open"),
        .value("isPlaying", \.isPlaying, .boolean, "whether pictures or sound advance"),
        .value("isPaused", \.isPaused, .boolean, "by command"),
        .value(
            "isVisible", \.isVisible, .boolean,
            "whether people can see the region main: on an active output, not fully covered, not hidden"),
        .value(
            "isBackgroundPlaybackAllowed", \.isBackgroundPlaybackAllowed, .boolean, "by command background"),
        .value("session", \.current?.id, .optional(.count), "number of the session, or null"),
        .value("volume", \.volume, .integer(0...100), "0...100"),
        .value("isMuted", \.isMuted, .boolean, "by command mute or settings"),
    ]
    private static let ofStage: [Field<Self>] = [
        .value("channelCount", \.channelCount, .count, "channels in the line-up"),
        .value("streamerCount", \.streamerCount, .count, "streamers heard"),
        .value("layout", \.layout, .text, "name of the one that is on"),
        .value(
            "isStageActive", \.isStageActive, .boolean,
            "whether a screen is on that this service may drive, or the stage is in memory by the settings"),
        .value("output", \.output, .text, "kind and size of the stage"),
        .value(
            "httpPort", \.http.port, .optional(.count), "of the HTTP API on loopback; null when there is none"),
        .value(
            "httpsPort", \.http.securePort, .optional(.count), "of the HTTP API by TLS; null when there is none"),
        .value("fingerprint", \.http.fingerprint, .text, "SHA-256 of the certificate that callers by TLS see"),
        .value("time", \.time.description, .text, "by the clock of the box"),
        .value("localTime", \.localTime, .text, "the same in screenText.timeZone"),
        .value(
            "displayedTimeSource", \.displayedTimeSource, .choice,
            "what the time on the screen goes by: clock, or stream (TDT, TOT) until something has set the clock"),
    ]
}
