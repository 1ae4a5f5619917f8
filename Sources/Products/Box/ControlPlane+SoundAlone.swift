// SPDX-License-Identifier: Apache-2.0
import Playback
import Time

/// Sessions without pictures. The stage reports when pictures begin and stop; for sound alone the mixer is polled.
extension ControlPlane {
    private static let listeningPause = Nanoseconds.milliseconds(50)
    /// Checks in a row, one a second, after which a silent session counts as starved.
    private static let silentLooksAllowed = 2

    /// Polls the mixer while a session waits for its sound to begin. Called after each input.
    func listenForSound() {
        guard !listensForSound, regions.contains(where: { $0.player.current?.awaitsSound == true }) else { return }
        listensForSound = true
        after(Self.listeningPause) { [weak self] in
            guard let self else { return }
            listensForSound = false
            for region in regions {
                guard let session = region.player.current, session.awaitsSound,
                    let epoch = media.soundEpoch(of: session.id)
                else { continue }
                control(.soundPlays(session: session.id, epoch: epoch), in: region)
            }
            listenForSound()
        }
    }

    /// Reports a session as starved when its sound no longer comes (SVM-78: buffering begins). Called once a second.
    func watchSound(of region: RegionPlayer) {
        guard let session = region.player.current, session.isSoundAlone, session.isPlaying,
            media.soundEpoch(of: session.id) == nil
        else {
            region.silentLooks = 0
            return
        }
        region.silentLooks += 1
        if region.silentLooks >= Self.silentLooksAllowed { control(.starved(session: session.id), in: region) }
    }
}
