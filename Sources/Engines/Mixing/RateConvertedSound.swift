// SPDX-License-Identifier: Apache-2.0
import Resampling
import Sound
import Time

/// Makes a device that does not play 48 kHz look like one that does.
final class RateConvertedSound: SoundOutput {
    let sampleRate = MixerInput.sampleRate
    var name: String { output.name }
    var period: Int { max(1, output.period * sampleRate / output.sampleRate) }
    var underruns: Int64 { output.underruns }
    private let output: any SoundOutput
    private let resampler: AudioResampler

    init(_ output: any SoundOutput) throws(ResamplingError) {
        self.output = output
        resampler = try AudioResampler(from: .stereo48k, to: output.sampleRate)
    }

    func nextAudible() throws(SoundError) -> Monotonic { try output.nextAudible() + resampler.delay }

    func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError) {
        // A block that libswresample cannot convert for want of memory is left out.
        guard let converted = try? resampler.convert(samples) else { return }
        try output.write(converted)
    }
}
