// SPDX-License-Identifier: Apache-2.0
import Playback
import Time

/// Sessions without pictures: what the stage tells of the others is asked of the mixer for these.
extension ControlPlane {
    private static let listeningPause = Nanoseconds.milliseconds(50)
    /// Once a second each.
    private static let silentLooksAllowed = 2

    /// After each input: while a session waits for its sound to be heard, looks again soon.
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

    /// Once a second: sound that no longer comes is missed (SVM-78).
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
