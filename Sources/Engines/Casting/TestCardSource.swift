// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import Scene

/// Codes a test card and its tone. A slot is one picture and the sound that belongs to it.
final class TestCardSource: CastSource {
    let slotRate: (numerator: Int64, denominator: Int64)
    let hasSound = true
    private var card: TestCard
    private let tone = TestTone()
    private var video: VideoEncoder
    private var audio: AudioEncoder
    private var number: Int64 = 0
    private var samplesDone: Int64 = 0
    private var samples: [Float] = []

    init(name: String, settings: VideoEncoder.Settings) throws {
        let rate = settings.rate
        slotRate = (Int64(rate.numerator), Int64(rate.denominator))
        card = try TestCard(size: PixelSize(width: settings.width, height: settings.height), rate: rate, name: name)
        video = try VideoEncoder(settings)
        audio = try AudioEncoder(sampleRate: TestTone.sampleRate, channels: TestTone.channels)
    }

    func nextSlot(clock: String) throws -> [CastUnit] {
        var units: [CastUnit] = []
        try card.draw(number, clock: clock) { picture in
            try video.encode(picture) { units.append(CastUnit($0, .video)) }
        }
        number += 1
        let samplesDue = number * slotRate.denominator * Int64(TestTone.sampleRate) / slotRate.numerator
        samples.removeAll(keepingCapacity: true)
        tone.append(from: samplesDone, frames: Int(samplesDue - samplesDone), to: &samples)
        samplesDone = samplesDue
        try samples.withUnsafeBufferPointer { samples in
            try audio.encode(samples) { units.append(CastUnit($0, .audio)) }
        }
        return units
    }
}

extension CastUnit {
    fileprivate init(_ unit: EncodedUnit, _ kind: Kind) {
        self.init(kind: kind, bytes: Array(unit.bytes), pts: unit.pts, dts: unit.dts, isKey: unit.isKey)
    }
}
