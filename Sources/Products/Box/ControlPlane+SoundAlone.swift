// SPDX-License-Identifier: Apache-2.0
import Playback

/// Sessions without pictures. The stage reports when pictures stop; for sound alone the mixer is polled.
extension ControlPlane {
    /// Checks in a row, one a second, after which a silent session counts as starved.
    private static let silentLooksAllowed = 2

    /// Reports a session as starved when its sound no longer comes (SVM-78: buffering begins). Called once a second.
    func watchSound(of region: RegionPlayer) {
        guard let session = region.player.current, session.isSoundAlone, session.isPlaying,
            media.soundEpoch(of: session.id) == nil
        else {
            if let session = region.player.current { silentLooks[session.id] = nil }
            return
        }
        silentLooks[session.id, default: 0] += 1
        if silentLooks[session.id, default: 0] >= Self.silentLooksAllowed {
            regions.control(.starved(session: session.id), in: region)
        }
    }
}
