// SPDX-License-Identifier: Apache-2.0
import Time

/// The operations of an opened PCM that plays interleaved stereo. Only `waitForRoom` waits.
protocol PCMDevice: AnyObject {
    var name: String { get }
    var sampleRate: Int { get }
    var format: PCM.SampleFormat { get }
    /// In frames, like `buffer`; the buffer holds at least two periods.
    var period: Int { get }
    var buffer: Int { get }

    /// Makes the PCM ready for `write`, whatever state it is in.
    func prepare() throws(SoundError)

    /// Starts to play what has been written; does nothing if the PCM is running.
    func start() throws(SoundError)

    func resume() -> PCM.Resumption

    /// - Parameter frames: number of frames at `bytes`, in `format`.
    func write(_ bytes: UnsafeRawPointer, frames: Int) throws(SoundError) -> PCM.Written

    /// Waits until a period fits, or until the time has passed. The next write reports if something is wrong.
    func waitForRoom(milliseconds: CInt)

    /// Stops the PCM and changes `period` and `buffer`. The caller then calls `prepare`.
    func resize(to sizes: PCMSizes) throws(SoundError)

    /// nil unless the PCM is running.
    func delay() -> PCM.Delay?
}
