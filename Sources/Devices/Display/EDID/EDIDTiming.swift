// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// A detailed timing of an EDID.
public struct EDIDTiming: Hashable, Sendable {
    public let size: PixelSize
    /// With what is not seen.
    public let total: PixelSize
    /// kHz of pixels.
    public let clock: UInt32
    public let isInterlaced: Bool

    static let octets = 18

    /// - Parameter start: of 18 octets that must be there.
    /// - Returns: nil for a descriptor of another kind, and for a timing of no size.
    init?(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        func octet(_ place: Int) -> Int { Int(bytes[start + place]) }
        let clock = UInt32(octet(0) | octet(1) << 8) * 10
        let (width, widthBlank) = (octet(2) | (octet(4) & 0xf0) << 4, octet(3) | (octet(4) & 0x0f) << 8)
        let (height, heightBlank) = (octet(5) | (octet(7) & 0xf0) << 4, octet(6) | (octet(7) & 0x0f) << 8)
        guard clock > 0, width > 0, height > 0 else { return nil }
        self.clock = clock
        isInterlaced = octet(17) & 0x80 != 0
        // An interlaced one is described by one field; there is half a line more in each.
        let fields = isInterlaced ? 2 : 1
        size = PixelSize(width: width, height: height * fields)
        total = PixelSize(width: width + widthBlank, height: (height + heightBlank) * fields + fields - 1)
    }

    /// Pictures a second; of an interlaced one: fields.
    public var refresh: FrameRate {
        FrameRate(Int64(clock) * (isInterlaced ? 2_000 : 1_000), per: Int64(total.width * total.height))
    }
}
