// SPDX-License-Identifier: Apache-2.0
import Time

/// A sound card. Played from a buffer of about 50 ms in periods of about 10; whatever stops it is repaired or thrown.
public final class ALSASound: SoundOutput {
    public let name: String
    public var sampleRate: Int { playback.device.sampleRate }
    public var period: Int { playback.device.period }
    public var underruns: Int64 { playback.underruns }
    private let playback: PCMPlayback

    /// - Parameters:
    ///   - device: a name that libasound knows: `hw:0,3`, `default`; or `SoundDevice.automatic`.
    ///   - unmutes: turns the card's own controls up to 0 dB.
    /// - Throws: `.lost` when it is not there or is busy, `.unsupported` when it does not play stereo; of several that
    ///   were tried, what became of the first.
    public convenience init(
        device: String, unmutes: Bool = false, clock: any PacingClock = SystemPacingClock()
    ) throws(SoundError) {
        let devices =
            device == SoundDevice.automatic ? SoundDevice.choices(from: .current()) : [SoundDevice(device)]
        let pcm = try Self.firstThatOpens(devices.flatMap(\.names))
        // Before anything is played: what a card does with a change of level is heard.
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
