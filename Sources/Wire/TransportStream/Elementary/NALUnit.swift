// SPDX-License-Identifier: Apache-2.0

/// One NAL unit of an H.264 or HEVC byte stream (ISO/IEC 14496-10 and 23008-2, annex B).
@frozen
public struct NALUnit: Sendable, Equatable {
    /// nal_unit_type of H.264.
    public enum Kind {
        @inlinable public static var slice: UInt8 { 1 }
        @inlinable public static var partitionA: UInt8 { 2 }
        @inlinable public static var idrSlice: UInt8 { 5 }
        @inlinable public static var sei: UInt8 { 6 }
        @inlinable public static var sequenceParameters: UInt8 { 7 }
        @inlinable public static var pictureParameters: UInt8 { 8 }
        @inlinable public static var delimiter: UInt8 { 9 }
    }

    /// nal_unit_type of HEVC.
    enum HEVCKind {
        /// IRAP pictures: BLA, IDR, CRA and reserved types.
        static let randomAccess: ClosedRange<UInt8> = 16...23
        static let lastSlice: UInt8 = 31
        static let videoParameters: UInt8 = 32
        static let sequenceParameters: UInt8 = 33
        static let pictureParameters: UInt8 = 34
        static let sei: UInt8 = 39
    }

    /// The first octet of the unit.
    public let header: UInt8
    /// Offset of the start code, including the zero octet that may precede it.
    public let start: Int
    /// Range from the header octet to the end, without trailing zeros.
    public let range: Range<Int>

    @inlinable
    public init(header: UInt8, start: Int, range: Range<Int>) {
        self.header = header
        self.start = start
        self.range = range
    }

    /// nal_unit_type of H.264.
    @inlinable public var type: UInt8 { header & 0x1F }
    /// nal_unit_type of HEVC.
    @inlinable public var hevcType: UInt8 { header >> 1 & 0x3F }
}
