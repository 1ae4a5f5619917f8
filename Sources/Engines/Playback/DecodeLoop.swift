// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import System
import Time

/// The decode thread: coded pictures through the decoder into the queue of the stage. Made and used on that thread only.
final class DecodeLoop {
    /// How long it sleeps at most before it looks at `stopping` again.
    private static let nap = Nanoseconds.milliseconds(100)
    /// How long it waits for the decoders of sessions that are being closed. One that hangs is not waited for longer.
    private static let longestHandover = Nanoseconds.milliseconds(500)
    private static let handoverLook = Nanoseconds.milliseconds(10)

    private let session: PlaybackSession

    init(_ session: PlaybackSession) { self.session = session }

    func run() {
        let video = VideoPath(session, clock: SystemClock.monotonic)
        awaitPredecessors()
        while !session.stopping.isRaised {
            let hasDecoded = video.decodeNext()
            session.decoding.set(video.counters)
            if !hasDecoded { session.decodeWakeup.wait(until: SystemClock.monotonic() + Self.nap) }
        }
    }

    /// A device has few places. The session that this one follows gives its place back with its last act.
    private func awaitPredecessors() {
        let options = session.options
        guard options.decoding != .software, !options.decoders.budget.inventory.devices.isEmpty else { return }
        let deadline = SystemClock.monotonic() + Self.longestHandover
        while !session.stopping.isRaised, !options.predecessors.allSatisfy(\.isReached) {
            let now = SystemClock.monotonic()
            guard now < deadline else { return }
            SystemClock.sleep(until: now + Self.handoverLook)
        }
    }
}
