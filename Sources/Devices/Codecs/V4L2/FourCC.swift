// SPDX-License-Identifier: Apache-2.0

/// Four characters that name a pixel format or a coded format (`V4L2_PIX_FMT_…`). DRM often uses the same for pixel
/// formats.
public struct FourCC: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// - Parameter name: four ASCII characters.
    public init(_ name: StaticString) {
        precondition(name.utf8CodeUnitCount == 4 && name.isASCII)
        rawValue = name.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }

    public var description: String {
        let octets = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) }
        guard octets.allSatisfy({ (0x20...0x7E).contains($0) }) else { return String(rawValue, radix: 16) }
        return String(decoding: octets, as: UTF8.self)
    }
}

extension FourCC {
    /// The kernel's own test codec (fast Walsh–Hadamard transform).
    public static let fwht = FourCC("FWHT")
    static let nv12 = FourCC("NV12")
    static let nv21 = FourCC("NV21")
    static let yuv420 = FourCC("YU12")
}
