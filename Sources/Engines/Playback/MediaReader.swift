// SPDX-License-Identifier: Apache-2.0
import Time

/// Where a read loop's units come from: the history of a live channel, or a file. Lives on the read thread.
protocol MediaReader: AnyObject {
    /// Reads a little and delivers what it completes to the loop.
    func advance() -> ReaderProgress

    /// Goes to the last random-access point from which the target's picture can be decoded, and sets the play-head.
    func seek(to target: SeekTarget, epoch: Int, at now: Monotonic)

    /// Goes back so far that the picture presented now can be decoded again.
    func reread(at now: Monotonic)

    func choose(_ choice: StreamChoice)

    /// - Parameter control: the play-head's.
    func position(of control: PlayHeadControl, at now: Monotonic) -> PlaybackPosition
}

enum ReaderProgress {
    case progressed
    /// Nothing to read until the session is woken.
    case waiting
    case ended
}
