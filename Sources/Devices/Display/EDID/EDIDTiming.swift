// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// A detailed timing of an EDID.
public struct EDIDTiming: Hashable, Sendable {
    public let size: PixelSize
    /// Including blanking.
    public let total: PixelSize
    /// The pixel clock, kHz.
    public let clock: UInt32
    public let isInterlaced: Bool

    static let octets = 18

    /// - Parameter start: offset of the descriptor; its 18 octets must be there.
    /// - Returns: nil for a descriptor of another kind, and for a timing without a size.
    init?(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        func octet(_ place: Int) -> Int { Int(bytes[start + place]) }
        let clock = UInt32(octet(0) | octet(1) << 8) * 10
        let (width, widthBlank) = (octet(2) | (octet(4) & 0xf0) << 4, octet(3) | (octet(4) & 0x0f) << 8)
        let (height, heightBlank) = (octet(5) | (octet(7) & 0xf0) << 4, octet(6) | (octet(7) & 0x0f) << 8)
        guard clock > 0, width > 0, height > 0 else { return nil }
        self.clock = clock
        isInterlaced = octet(17) & 0x80 != 0
        // Interlaced timings describe one field, which has half a line more.
        let fields = isInterlaced ? 2 : 1
        size = PixelSize(width: width, height: height * fields)
        total = PixelSize(width: width + widthBlank, height: (height + heightBlank) * fields + fields - 1)
    }

    /// Frames a second; fields if it is interlaced.
    public var refresh: FrameRate {
        FrameRate(Int64(clock) * (isInterlaced ? 2_000 : 1_000), per: Int64(total.width * total.height))
    }
}
