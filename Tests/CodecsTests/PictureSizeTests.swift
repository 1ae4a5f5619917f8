// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing

@testable import Codecs

/// Sequence parameter sets that lie.
@Suite struct PictureSizeTests {
    /// MPEG-2: 12 bits each, and two more in the extension.
    private func lie(_ bytes: [UInt8], width: Int, height: Int) -> [UInt8] {
        var bytes = bytes
        for place in bytes.indices.dropLast(10) where bytes[place...].starts(with: [0, 0, 1]) {
            if bytes[place + 3] == 0xb3 {
                bytes[place + 4] = UInt8(width >> 4 & 0xff)
                bytes[place + 5] = UInt8((width & 0xf) << 4 | height >> 8 & 0xf)
                bytes[place + 6] = UInt8(height & 0xff)
            } else if bytes[place + 3] == 0xb5, bytes[place + 4] >> 4 == 1 {
                bytes[place + 5] = bytes[place + 5] & 0xfe | UInt8(width >> 13 & 1)
                bytes[place + 6] = UInt8(width >> 12 & 1) << 7 | UInt8(height >> 12 & 3) << 5 | bytes[place + 6] & 0x1f
            }
        }
        return bytes
    }

    @Test func whatIsTooLargeIsRefusedUntilItIsNot() throws {
        let units = Vector.accessUnits(try Vector.bytes("main.m2v"), .mpeg2Video)
        var decoder = try VideoDecoder(.mpeg2Video)
        for (unit, bytes) in units {
            let error = thrown(CodecError.self) {
                try decoder.decode(unit, lie(bytes, width: 7_680, height: 4_320))
            }
            #expect(error == .tooLarge(width: 7_680, height: 4_320))
            #expect(error?.isOfData == false)
        }
        var pictures = 0
        for (unit, bytes) in units { pictures += try decoder.decode(unit, bytes).count }
        let rest = try decoder.rest().count
        #expect(pictures + rest == units.count)
    }

    /// The beginnings of pictures that libx264 and libx265 made.
    @Test(arguments: [Codec.h264, .hevc], ["8k", "16k"]) func parameterSetsAreReadBeforeTheDecoderActs(
        codec: Codec, size: String
    ) throws {
        let bytes = try Vector.bytes("announces-\(size).\(codec.rawValue)")
        var decoder = try VideoDecoder(codec)
        let unit = AccessUnit(pts: 0, dts: 0, isRandomAccess: true, isDamaged: false)
        let error = thrown(CodecError.self) { try bytes.withUnsafeBytes { try decoder.send(unit, $0) } }
        guard case .tooLarge(let width, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(width >= (size == "8k" ? 7_680 : 16_000))
    }
}
