// SPDX-License-Identifier: Apache-2.0
import Codecs
import Time

/// What is left out when the decoder has too much to do.
extension VideoPath {
    /// Pictures that are decoded one behind the other. The second finds in the cache what the first one brought there.
    private static let run = 2
    /// Up to this load a decoder can wait until there is room for a run. One picture is left at the stage then, beside the
    /// next to be shown.
    private static let unhurried: Int64 = 250

    /// The room that is waited for before anything is decoded.
    var roomForRun: Int {
        decoder.isSynchronous && ladder.step == .everything && load < Self.unhurried && outlet.isPlaying ? Self.run : 1
    }

    /// Tells the ladder if the playback clock was moved, because earlier lateness does not count then.
    func noteMovedHead() { if outlet.headWasMoved() { ladder.playbackClockMoved() } }

    /// Takes the lateness of a picture; negative if it is early.
    /// - Returns: whether it is shown. That of a random-access point always is, so that there is a picture.
    func isWanted(lateness: Nanoseconds, isPoint: Bool) -> Bool {
        counters.decodeLoad = load
        if ladder.pictureDecoded(lateness: lateness, load: load, at: clock()) { climb() }
        return isPoint || !ladder.isTooLate(lateness)
    }

    private func climb() {
        ladderMoved()
        if ladder.step == .randomAccessOnly { leaveGroupOut() }
        // Threads are never removed: another decoder would cost a picture.
        decoder.threads = max(decoder.threads, ladder.step >= .anotherThread ? Self.cores : 1)
    }

    private func ladderMoved() {
        counters.ladderChanges += 1
        counters.ladderStep = Int64(ladder.step.rawValue)
        decoder.skip = skip
    }

    func leaveGroupOut() { if case .decodes = phase { phase = .leavesGroupOut } }

    /// Whether the gate decides again where decoding begins, because the random-access point up to which units are left out
    /// does not come.
    func beginsAnew(with entry: CodedPictures.Entry) -> Bool {
        let leavesGroupOut = if case .leavesGroupOut = phase { true } else { false }
        guard leavesGroupOut || ladder.skipsToRandomAccess, !entry.unit.isRandomAccess else {
            ladder.pointCame()
            return false
        }
        let lateness = outlet.lateness(of: entry.correlation.time(of: entry.unit.pts)) ?? .zero
        let isRecovery = if case .recovery = DecodingEntry(entry.unit) { lateness <= .zero } else { false }
        let step = ladder.step
        let beginsAnew = ladder.unitLeftOut(isRecovery: isRecovery, at: clock())
        if ladder.step != step { ladderMoved() }
        return beginsAnew
    }

    func isWorthDecoding(_ entry: CodedPictures.Entry) -> Bool {
        let lateness = outlet.lateness(of: entry.correlation.time(of: entry.unit.pts)) ?? .zero
        noteMovedHead()
        guard entry.unit.isRandomAccess else {
            guard ladder.isWorthDecoding(lateness: lateness) else { return false }
            if case .leavesGroupOut = phase { return false }
            return true
        }
        return ladder.beginsAtRandomAccess(lateness: lateness, isNewest: entry.point == pictures.newestPoint)
    }

    /// Updates the load: the decoding time since the last picture, in relation to a picture's time.
    func noteDecodingTime(since busySince: Monotonic) {
        let taken = decodingTime + (clock() - busySince)
        decodingTime = .zero
        let sample = min(taken.count * 1_000 / max(1, TickRate.mpeg.nanoseconds(span).count), 4_000)
        load += (sample - load) / 16
    }

    private var skip: VideoDecoder.SkipLevel {
        switch ladder.step {
        case .everything, .anotherThread: .none
        case .noLoopFilter: .loopFilter
        case .noNonReference, .randomAccessOnly: .nonReference
        }
    }
}
