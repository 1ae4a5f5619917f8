// SPDX-License-Identifier: Apache-2.0

/// Four characters that name a format of samples or of a stream (`V4L2_PIX_FMT_…`; of samples often DRM's name as
/// well).
public struct FourCC: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// - Parameter name: four characters of ASCII.
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
    /// The stream of the kernel's own test codec (fast Walsh–Hadamard transform).
    public static let fwht = FourCC("FWHT")
    static let nv12 = FourCC("NV12")
    static let nv21 = FourCC("NV21")
    static let yuv420 = FourCC("YU12")
}
