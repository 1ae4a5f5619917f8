// SPDX-License-Identifier: Apache-2.0
import Playback
import Time

/// Counts what is shown of each session, and says it when the session ends.
final class ProofOfPlay {
    /// Pictures that the session's region had presented.
    private struct Count {
        /// When the session began.
        let before: Int64
        /// When its last event came. A region that leaves the stage with its session has no counters afterwards.
        var last: Int64
    }

    private let media: Monitoring.Media
    private let tell: (SessionPlayed) -> Void
    private var counts: [Int: Count] = [:]

    init(_ media: Monitoring.Media, _ tell: @escaping (SessionPlayed) -> Void) {
        self.media = media
        self.tell = tell
    }

    /// The pictures that it had in its former region still count.
    private func moved(_ session: Int?, from old: RegionPlayer, to new: RegionPlayer) {
        guard let session, let count = counts[session] else { return }
        let shown = media.region(old.name).picturesPresented - count.before
        let presented = media.region(new.name).picturesPresented
        counts[session] = Count(before: presented - shown, last: presented)
    }

    func consumer(_ name: String) -> SessionConsumer {
        SessionConsumer(
            name,
            started: { [self] session, region in
                let presented = media.region(region.name).picturesPresented
                counts[session.id] = Count(before: presented, last: presented)
            },
            emitted: { [self] _, region in
                guard let session = region.player.current, let count = counts[session.id] else { return }
                counts[session.id]?.last = max(count.last, media.region(region.name).picturesPresented)
            },
            ended: { [self] session, region, now in
                guard let count = counts.removeValue(forKey: session.id) else { return }
                let last = max(count.last, media.region(region.name).picturesPresented)
                tell(
                    SessionPlayed(
                        session: session.id, name: session.name, seconds: (now - session.opened).seconds,
                        pictures: last - count.before, octets: media.playback(session.id)?.videoOctets ?? 0,
                        region: region.name, strategy: region.strategy?.name))
            },
            exchanged: { [self] one, other in
                moved(one.player.current?.id, from: other, to: one)
                moved(other.player.current?.id, from: one, to: other)
            })
    }
}
