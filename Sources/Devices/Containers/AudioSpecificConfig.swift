// SPDX-License-Identifier: Apache-2.0
import Media

/// How a file describes its raw AAC (ISO/IEC 14496-3, 1.6.2.1), as far as ADTS can say it: what spectral band
/// replication adds, decoders find in the coded data.
///
///     objectType:5 [31: 32 + :6] rateIndex:4 [15: rate:24] channels:4
struct AudioSpecificConfig: Equatable {
    var objectType: Int
    var sampleRate: Int
    /// 0: described further on, in a programme config element.
    var channels: Int

    /// - Returns: nil for what is cut, or has a reserved rate.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var bits = BitCursor(bytes)
        guard var type = bits.objectType(), let rate = bits.sampleRate(), let channels = bits.read(4) else {
            return nil
        }
        if type == 5 || type == 29 {  // the first rate is the core's, the second that with spectral band replication
            guard bits.sampleRate() != nil, let core = bits.objectType() else { return nil }
            type = core
        }
        objectType = type
        sampleRate = rate
        self.channels = channels
    }

    /// Nil where ADTS cannot say it.
    /// - Parameter fallback: channels, where the configuration itself has no number.
    func framing(fallback: Int) -> ADTSFrame? {
        let count = channels == 0 ? fallback : channels == 7 ? 8 : channels
        return ADTSFrame(sampleRate: sampleRate, channels: count, profile: objectType - 1)
    }
}

private struct BitCursor {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func read(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }

    mutating func objectType() -> Int? {
        guard let type = read(5) else { return nil }
        return type < 31 ? type : read(6).map { 32 + $0 }
    }

    mutating func sampleRate() -> Int? {
        guard let index = read(4) else { return nil }
        if index == 15 { return read(24) }
        return index < ADTSFrame.sampleRates.count ? ADTSFrame.sampleRates[index] : nil
    }
}
