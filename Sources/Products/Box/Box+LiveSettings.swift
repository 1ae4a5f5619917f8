// SPDX-License-Identifier: Apache-2.0
import Hosting
import Playback
import Presentation
import Settings
import Venue

/// The parts of a playing box that follow changes of the settings and belong to no feature yet.
extension Box {
    static func follow(_ store: SettingsStore, media: MediaPlane, regions: RegionDirectory) {
        store.follow(["playback", "reception", "network"]) { new, _ in
            if media.apply(new) { regions.reopenChannels() }
        }
        store.follow(["sound"]) { new, old in
            guard (new.sound.output, new.sound.unmutes) != (old.sound.output, old.sound.unmutes) else { return }
            media.openSound(new.sound)
        }
        store.attach(["output"]) { [unowned store] (next) throws(Status) in
            try prepare(next.settings.output, insteadOf: store.running.settings.output, media)
        }
    }

    private static func prepare(
        _ new: Settings.Output, insteadOf old: Settings.Output, _ media: MediaPlane
    ) throws(Status) -> Preparation {
        let (wanted, shown) = (OutputRequest(new), OutputRequest(old))
        guard wanted != shown else { return Preparation(undo: {}, commit: { () throws(Status) in }) }
        if let problem = OutputCheck().problem(of: new) { throw .failure(.configuration, problem) }
        return Preparation(undo: { media.show(on: shown) { _ in } }, begin: { media.show(on: wanted, $0) })
    }
}
