// SPDX-License-Identifier: Apache-2.0
import Time

/// What an opened PCM that plays interleaved stereo is asked. No call waits but `waitForRoom`.
protocol PCMDevice: AnyObject {
    var name: String { get }
    var sampleRate: Int { get }
    var format: PCM.SampleFormat { get }
    /// Frames; at least two periods are a buffer.
    var period: Int { get }
    var buffer: Int { get }

    /// Gets ready for `write` from whatever state it is in.
    func prepare() throws(SoundError)

    /// Begins to play what has been written. Running already is as good.
    func start() throws(SoundError)

    func resume() -> PCM.Resumption

    /// - Parameter frames: at `bytes`, in `format`.
    func write(_ bytes: UnsafeRawPointer, frames: Int) throws(SoundError) -> PCM.Written

    /// Waits for a period's room, or in vain: the next write says what is the matter.
    func waitForRoom(milliseconds: CInt)

    /// Stops it. What follows is `prepare`; period and buffer are others then.
    func resize(to sizes: PCMSizes) throws(SoundError)

    /// Nil while it stands still.
    func delay() -> PCM.Delay?
}
