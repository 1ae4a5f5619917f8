// SPDX-License-Identifier: Apache-2.0
import Time

/// A sound card, played from a buffer of about 50 ms in periods of about 10 ms. When it stops, it is restarted, or an
/// error is thrown.
public final class ALSASound: SoundOutput {
    public let name: String
    public var sampleRate: Int { playback.device.sampleRate }
    public var period: Int { playback.device.period }
    public var underruns: Int64 { playback.underruns }
    private let playback: PCMPlayback

    /// - Parameters:
    ///   - device: a PCM name that libasound knows, such as `hw:0,3` or `default`, or `SoundDevice.automatic`.
    ///   - unmutes: whether the card's own controls are set to 0 dB and switched on.
    /// - Throws: `.lost` if the device is missing or busy, `.unsupported` if it cannot play stereo. If several devices
    ///   were tried, the error is the first one's.
    public convenience init(
        device: String, unmutes: Bool = false, clock: any PacingClock = SystemPacingClock()
    ) throws(SoundError) {
        let devices =
            device == SoundDevice.automatic ? SoundDevice.choices(from: .current()) : [SoundDevice(device)]
        let pcm = try Self.firstThatOpens(devices.flatMap(\.names))
        // This comes before any playback, because a change of level may be audible.
        if unmutes, let card = pcm.card { CardLevels.raise(onCard: card) }
        try self.init(pcm, clock: clock)
    }

    init(_ device: any PCMDevice, clock: any PacingClock) throws(SoundError) {
        name = device.name
        playback = try PCMPlayback(device, sizes: .usual, clock: clock)
    }

    private static func firstThatOpens(_ names: [String]) throws(SoundError) -> PCM {
        var first: SoundError?
        for name in names {
            do throws(SoundError) {
                return try PCM(opening: name, sizes: .usual)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? .unsupported(device: SoundDevice.automatic, what: "no name")
    }

    public func nextAudible() -> Monotonic { playback.nextAudible() }

    public func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError) { try playback.write(samples) }
}
