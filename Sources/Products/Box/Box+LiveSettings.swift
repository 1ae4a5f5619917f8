// SPDX-License-Identifier: Apache-2.0
import Hosting
import Playback
import Settings

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
    }
}
