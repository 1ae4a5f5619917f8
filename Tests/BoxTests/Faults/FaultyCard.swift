// SPDX-License-Identifier: Apache-2.0
import Buffers
import System
import Time

@testable import Sound

/// A sound card in real time that runs dry, freezes or goes when a test wants it.
/// - Thread: the audio thread owns it; the test sets `fault`.
final class FaultyCard: PCMDevice {
    enum Fault: Sendable, Equatable { case runsDry, freezes, isGone }

    let name = "fake"
    let sampleRate = 48_000
    let format = PCM.SampleFormat.float
    private(set) var period = 480
    private(set) var buffer = 2_400
    private let fault: LatestValue<Fault?>
    private var startedAt: Monotonic?
    private var written = 0

    /// - Throws: if the card is gone.
    init(_ fault: LatestValue<Fault?>) throws(SoundError) {
        self.fault = fault
        try check()
    }

    private func check() throws(SoundError) {
        if fault.value == .isGone { throw .lost(SystemCallError("snd_pcm_writei fake", .noDevice)) }
    }

    private var played: Int {
        startedAt.map { Int((SystemClock.monotonic() - $0).count / 1_000 * 48 / 1_000) } ?? 0
    }

    func prepare() throws(SoundError) {
        try check()
        (startedAt, written) = (nil, 0)
    }

    func start() throws(SoundError) { startedAt = startedAt ?? SystemClock.monotonic() }
    func resume() -> PCM.Resumption { .never }

    func write(_ bytes: UnsafeRawPointer, frames: Int) throws(SoundError) -> PCM.Written {
        try check()
        if startedAt != nil {
            if fault.value == .freezes { return .full }
            if fault.value == .runsDry || played > written { return .underrun }
        }
        let count = min(frames, buffer - (written - played))
        guard count > 0 else { return .full }
        written += count
        return .frames(count)
    }

    func waitForRoom(milliseconds: CInt) {
        let end = SystemClock.monotonic() + .milliseconds(Int64(milliseconds))
        let missing = period - (buffer - (written - played))
        let room = SystemClock.monotonic() + .microseconds(Int64(max(0, missing)) * 1_000 / 48 + 200)
        SystemClock.sleep(until: fault.value == .freezes ? end : min(end, room))
    }

    func resize(to sizes: PCMSizes) throws(SoundError) {
        (period, buffer) = (sizes.period(at: sampleRate), sizes.buffer(at: sampleRate))
        (startedAt, written) = (nil, 0)
    }

    func delay() -> PCM.Delay? { startedAt == nil ? nil : PCM.Delay(frames: max(0, written - played), at: nil) }
}
