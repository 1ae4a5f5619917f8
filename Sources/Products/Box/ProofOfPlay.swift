// SPDX-License-Identifier: Apache-2.0
import Journal
import Playback
import Time

/// Logs one line for each session that ends, as proof that it was played.
final class ProofOfPlay {
    private let media: MediaPlane
    private let log: Log
    /// The pictures that the session's region had presented when the session began, by session number.
    private var before: [Int: Int64] = [:]

    init(_ media: MediaPlane, _ log: Log) {
        self.media = media
        self.log = log
    }

    /// The pictures that it had in its former region still count.
    private func moved(_ session: Int?, from old: RegionPlayer, to new: RegionPlayer) {
        guard let session, let first = before[session] else { return }
        let shown = media.regionCounters(old.name).picturesPresented - first
        before[session] = media.regionCounters(new.name).picturesPresented - shown
    }

    var consumer: SessionConsumer {
        SessionConsumer(
            "proof of play",
            started: { [self] session, region in
                before[session.id] = media.regionCounters(region.name).picturesPresented
            },
            ended: { [self] session, region, now in
                let shown = media.regionCounters(region.name).picturesPresented
                let presented = shown - (before.removeValue(forKey: session.id) ?? 0)
                log(
                    .notice, "played",
                    [
                        "session": session.id, "name": session.name, "seconds": (now - session.opened).seconds,
                        "pictures": presented, "octets": media.playback(of: session.id)?.videoOctets ?? 0,
                        "region": region.name,
                        "strategy": region.strategy ?? "none",
                    ])
            },
            exchanged: { [self] one, other in
                moved(one.player.current?.id, from: other, to: one)
                moved(other.player.current?.id, from: one, to: other)
            })
    }
}
