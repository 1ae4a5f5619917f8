// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Mixing
import Playback
import Venue

/// The sound of each region and of the mix of all.
extension ControlPlane {
    /// Sets the volume of the region, or of the mix if the request names none.
    func setVolume(_ request: CommandRequest, of region: RegionPlayer) -> Result<JSONValue, Status> {
        let level = request.integer("volume").map { Int(clamping: $0) } ?? 100
        guard request.text("region") != nil else { return setSum(level: level) }
        return .success(change(region) { $0 = RegionSound(level: level) })
    }

    func setMuted(
        _ isMuted: Bool, _ request: CommandRequest, of region: RegionPlayer
    ) -> Result<JSONValue, Status> {
        guard request.text("region") != nil else { return setSum(isMuted: isMuted) }
        return .success(change(region) { $0.isMuted = isMuted })
    }

    func hearOnly(_ region: RegionPlayer) -> JSONValue {
        for other in regions.all where other !== region { _ = change(other) { $0.isMuted = true } }
        return change(region) { $0.isMuted = false }
    }

    /// Chooses the language of the region, or of all present and future regions if the request names none.
    func selectAudio(_ request: CommandRequest, in region: RegionPlayer) -> Result<JSONValue, Status> {
        let language = request.text("language").flatMap { $0 == "default" ? nil : $0 }
        let isOfOne = request.text("region") != nil
        if !isOfOne { regions.policy.audioLanguage = language }
        for region in isOfOne ? [region] : regions.all { regions.control(.selectAudio(language: language), in: region) }
        return .success([:])
    }

    /// An argument that is nil leaves its value unchanged.
    private func setSum(level: Int? = nil, isMuted: Bool? = nil) -> Result<JSONValue, Status> {
        let before = volume
        if let level { volume.level = level }
        if let isMuted { volume.isMuted = isMuted }
        let now = RegionSound(level: volume.level, isMuted: volume.isMuted).json
        if volume != before {
            media.setVolume(volume.level)
            media.setMuted(volume.isMuted)
            emit(.sound, "volume", now)
        }
        return .success(now)
    }

    /// Unmutes `main` if every region is muted.
    func hearSomething() {
        if regions.all.allSatisfy({ sound(of: $0).isMuted }) { _ = change(main) { $0.isMuted = false } }
    }

    private func change(_ region: RegionPlayer, _ change: (inout RegionSound) -> Void) -> JSONValue {
        let before = sound(of: region)
        var after = before
        change(&after)
        sounds[region.name] = after
        var now = after.json
        now["region"] = .string(region.name)
        if after != before { tellSound(of: region) }
        return now
    }

    /// Gives the region's present sound to the mixer and emits it as an event.
    func tellSound(of region: RegionPlayer) {
        let sound = heard(region)
        if let session = region.player.current?.id { media.setSound(sound, of: session) }
        var now = sound.json
        now["region"] = .string(region.name)
        emit(.sound, "volume", now)
    }

    func handle(_ report: MixerReport) {
        switch report {
        case .outputOpened(let device): log.sound(.notice, "output opened", ["device": device])
        case .withoutOutput(let why): log.sound(.error, "no output", ["error": why])
        }
    }

    /// The region's own sound. Unless a command has changed it, `main` is heard and the others are muted.
    func sound(of region: RegionPlayer) -> RegionSound {
        sounds[region.name] ?? RegionSound(isMuted: !region.isMain)
    }

    /// The region's own sound, unless an active strategy has one region heard alone. The topmost such strategy decides.
    func heard(_ region: RegionPlayer) -> RegionSound {
        var sound = sound(of: region)
        if let only = activeStrategies.last(where: { $0.audioRegion != nil })?.audioRegion {
            sound.isMuted = region.name != only
        }
        return sound
    }
}

extension RegionSound {
    var json: JSONValue { ["volume": .integer(Int64(level)), "isMuted": .bool(isMuted)] }
}
