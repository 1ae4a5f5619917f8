// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import Mixing
import Playback
import Settings
import Time
import Venue

/// The feature that sets what is heard: the volume of the mix and of each region, and the language (SVM-68, 70).
public final class Audio: Feature {
    public static let summary = """
        what is heard: volume and muting of the mix and of each region, one region alone, the language; sound alone \
        that falls silent; the commands `volume`, `mute`, `audio`, `audio-region`
        """

    /// The mixer as Audio uses it. The product provides this value.
    public struct Output {
        public var setMix: (RegionSound) -> Void
        public var setSound: (RegionSound, _ session: Int) -> Void

        public init(
            setMix: @escaping (RegionSound) -> Void, setSound: @escaping (RegionSound, _ session: Int) -> Void
        ) {
            self.setMix = setMix
            self.setSound = setSound
        }
    }

    public static var commands: [Handler<Audio>] {
        [Handler(SetVolume.self), Handler(SetMuted.self), Handler(ChooseLanguage.self), Handler(HearRegion.self)]
    }

    public static var events: [EventDescription] { [EventDescription(SoundState.self)] }

    /// Checks in a row, one a second, after which a silent session counts as starved.
    private static let silentLooksAllowed = 2

    let regions: RegionDirectory
    let sounds: RegionSounds
    private let output: Output
    private let context: FeatureContext
    private let log: Log
    /// Why there is no output; nil if there is one.
    public private(set) var outputProblem: String?
    /// Checks in a row at which a session of sound alone was not heard, by session number.
    private var silentLooks: [Int: Int] = [:]

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        regions = context.provided(RegionDirectory.self)
        sounds = context.provided(RegionSounds.self)
        output = context.provided(Output.self)
        log = context.journal.log(for: "sound")
        sounds.mixChanged = { [weak self] in self?.set($0) }
        sounds.regionChanged = { [weak self] region, sound in self?.set(sound, of: region) }
        context.settings.follow(["sound", "playback"]) { [weak self] new, old in self?.apply(new, insteadOf: old) }
    }

    public func start() { output.setMix(sounds.mix) }

    private func set(_ mix: RegionSound) {
        output.setMix(mix)
        context.emit(SoundState(mix, of: nil))
    }

    private func set(_ sound: RegionSound, of region: String) {
        if let session = regions[region]?.player.current?.id { output.setSound(sound, session) }
        context.emit(SoundState(sound, of: region))
    }

    /// Reports a session as starved when its sound no longer comes (SVM-78: buffering begins). The stage reports when
    /// pictures stop; for sound alone the mixer is polled.
    public func tick(at now: Monotonic) {
        var looks: [Int: Int] = [:]
        for region in regions.all {
            guard let session = region.player.current, session.isSoundAlone, session.isPlaying,
                regions.environment.soundEpoch(session.id) == nil
            else { continue }
            let count = (silentLooks[session.id] ?? 0) + 1
            looks[session.id] = count
            if count >= Self.silentLooksAllowed { regions.control(.starved(session: session.id), in: region) }
        }
        silentLooks = looks
    }

    /// What settings leave as it was stays as commands have left it.
    private func apply(_ new: Settings, insteadOf old: Settings) {
        sounds.changeMix { mix in
            if new.sound.volume != old.sound.volume { mix.level = new.sound.volume }
            if new.sound.isMuted != old.sound.isMuted { mix.isMuted = new.sound.isMuted }
        }
        let language = new.playback.audioLanguage
        guard language != old.playback.audioLanguage else { return }
        regions.policy.audioLanguage = language
        choose(language, in: regions.all)
    }

    /// To be called with each report of the mixer.
    public func handle(_ report: MixerReport) {
        log(.debug, "report", ["report": "\(report)"])
        switch report {
        case .outputOpened(let device):
            outputProblem = nil
            log(.notice, "output opened", ["device": device])
        case .withoutOutput(let why):
            outputProblem = why
            log(.error, "no output", ["error": why])
        }
    }

    /// Changes the sound of the region, or of the mix if `name` is nil.
    func change(_ name: String?, _ change: (inout RegionSound) -> Void) throws(Status) -> SoundState {
        guard let name else {
            sounds.changeMix(change)
            return SoundState(sounds.mix, of: nil)
        }
        let region = try regions.addressed(region: name)
        return SoundState(sounds.change(region.name, change), of: region.name)
    }

    /// Chooses the language of the region, or of all present and future regions if `name` is nil.
    /// - Parameter language: ISO 639-2 code; nil for the first stream of sound.
    func choose(_ language: String?, in name: String?) throws(Status) {
        let region = try regions.addressed(region: name)
        choose(language, in: name == nil ? regions.all : [region])
        if name == nil { regions.policy.audioLanguage = language }
    }

    private func choose(_ language: String?, in regions: [RegionPlayer]) {
        for region in regions { self.regions.control(.selectAudio(language: language), in: region) }
    }
}
