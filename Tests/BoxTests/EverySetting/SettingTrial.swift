// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import Testing

/// How a setting is tried on a playing box, where its description does not say it.
///
/// The effect of a setting is looked for before the change too, where it must not be seen.
struct SettingTrial {
    typealias Step = (RunningBox) throws -> Void
    typealias Look = (RunningBox) throws -> Bool

    let path: String
    /// nil for one that the description gives.
    var value: JSONValue?
    /// The value if only the box knows it.
    var makeValue: (RunningBox) throws -> JSONValue? = { _ in nil }
    /// The channel that plays meanwhile; nil if none can play.
    var channel: String? = "One"
    /// Whether the change takes the channel away until the setting has its old value again.
    var takesChannel = false
    /// By what the effect was seen, for the table.
    var seenBy: String
    /// nil if the effect is seen elsewhere, which `seenBy` names.
    var isSeen: Look?

    /// Other settings during the trial.
    private(set) var given: JSONValue = [:]
    /// What is done before the change, and between the change and the look at its effect.
    private(set) var arrange: Step = { _ in }
    private(set) var act: Step = { _ in }
    /// What is done when all settings are as before.
    private(set) var tidy: Step = { _ in }
    /// Whether only the next start of the box shows the effect.
    private(set) var isAtStart = false
    /// Whether the box can not be as before after it.
    private(set) var isLast = false

    init(
        _ path: String, _ value: JSONValue? = nil, playing channel: String? = "One", takesChannel: Bool = false,
        by seenBy: String, isSeen: Look? = nil
    ) {
        self.path = path
        self.value = value
        self.channel = channel
        self.takesChannel = takesChannel
        self.seenBy = seenBy
        self.isSeen = isSeen
    }

    func given(_ settings: JSONValue) -> SettingTrial { with { $0.given = settings } }
    func arranging(_ step: @escaping Step) -> SettingTrial { with { $0.arrange = step } }
    func acting(_ step: @escaping Step) -> SettingTrial { with { $0.act = step } }
    func tidying(_ step: @escaping Step) -> SettingTrial { with { $0.tidy = step } }
    func atStart() -> SettingTrial { with { $0.isAtStart = true } }

    func last() -> SettingTrial { with { $0.isLast = true } }

    private func with(_ change: (inout SettingTrial) -> Void) -> SettingTrial {
        var trial = self
        change(&trial)
        return trial
    }

    /// Every setting of which more is to be said than what its description says.
    static func all(_ venue: SettingsVenue) throws -> [SettingTrial] {
        var trials: [SettingTrial] = []
        trials += ofBox(venue)
        trials += ofData(venue)
        trials += ofLicense + ofAnnouncements(venue) + ofLineUp(venue)
        trials += ofNetwork + ofUplink(venue) + ofSyslog
        trials += ofPlayback(venue) + ofFallback(venue)
        trials += ofMonitor
        trials += ofHealth(venue) + ofVenue(venue)
        trials += ofStage + ofOutput
        trials += try ofScreenText(venue)
        trials += ofSound(venue)
        trials += ofSync
        trials += ofPush + ofReports + ofRecorder + ofAccess
        trials += try ofEndpoint() + ofRestart
        return trials
    }

    // MARK: Looks

    static func channels(_ box: RunningBox) throws -> [JSONValue] {
        try box.answer("channels")["channels"]?.array ?? []
    }

    static func names(_ box: RunningBox) throws -> [String] {
        try channels(box).compactMap { $0["name"]?.string }
    }

    static func isHidden(_ name: String, _ box: RunningBox) throws -> Bool {
        let all = try box.answer("channels", "--hidden")["channels"]?.array ?? []
        return try !names(box).contains(name) && all.contains { $0["name"] == .string(name) }
    }

    /// Whether the channel is tuned, or what plays is it.
    static func plays(_ name: String) -> Look {
        { try $0.answer("status")["channel"] == .string(name) }
    }

    static func octets(of path: String) throws -> Int {
        try DurableFile.read(path, limit: 256 << 20)?.count ?? 0
    }

    /// How long what plays in `main` has been open, seconds; rounded down.
    static func uptime(_ box: RunningBox) throws -> Int64 {
        try box.answer("stats").at("/stats/session/uptimeSeconds")?.integer ?? 0
    }

    static func position(_ box: RunningBox, _ name: String) throws -> Int64 {
        try box.answer("position")[name]?.integer ?? 0
    }

    // MARK: Steps

    /// Changes settings other than the one that is tried.
    static func merge(_ patch: JSONValue) -> Step {
        { box in
            let report = try box.merge(patch)
            #expect(report["errorString"] == nil, "\(patch): \(report)")
        }
    }

    /// Waits until it is so.
    static func until(_ isSo: @escaping Look) -> Step {
        { box in _ = try box.await("status") { _ in (try? isSo(box)) ?? false } }
    }

    static func until(_ isSo: Look, _ box: RunningBox) throws {
        _ = try box.await("status") { _ in (try? isSo(box)) ?? false }
    }

    /// Tunes channels in the regions of `quad` beside `main`.
    static func beside(_ channels: String...) -> Step {
        { box in
            _ = try box.answer("layout", "quad")
            for (name, region) in zip(channels, ["second", "third", "fourth"]) {
                _ = try box.answer("tune", name, "--region", region)
            }
        }
    }

    static var alone: Step { { _ = try $0.answer("layout", "full") } }
}
