// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import System
import Time

/// The loop of the decode thread: it passes coded pictures through the decoder into the stage's queue.
/// - Thread: the decode thread.
final class DecodeLoop {
    /// The longest sleep before `stopping` is checked again.
    private static let nap = Nanoseconds.milliseconds(100)
    /// The longest wait for the decoders of sessions that are being closed, in case one hangs.
    private static let longestHandover = Nanoseconds.milliseconds(500)
    private static let handoverLook = Nanoseconds.milliseconds(10)

    private let session: PlaybackSession
    private let decoding: DecodingRun

    init(_ session: PlaybackSession, _ decoding: DecodingRun) { (self.session, self.decoding) = (session, decoding) }

    /// Ends when the session is closed, or was taken from this thread.
    func run() {
        let video = VideoPath(session, decoding, clock: SystemClock.monotonic)
        awaitPredecessors()
        while !session.stopping.isRaised, decoding.lease.renew(at: SystemClock.monotonic()) {
            let hasDecoded = video.decodeNext()
            guard decoding.lease.rest() else { return }
            decoding.counters.set(video.counters)
            if !hasDecoded { session.decodeWakeup.wait(until: SystemClock.monotonic() + Self.nap) }
        }
    }

    /// Waits until the sessions before this one have released their decoders, because a device decodes few streams at
    /// once. A session releases its decoder when its threads end.
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
