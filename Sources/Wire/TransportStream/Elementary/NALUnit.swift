// SPDX-License-Identifier: Apache-2.0

/// One NAL unit of an H.264 byte stream (ISO/IEC 14496-10 7.3.1, annex B).
@frozen
public struct NALUnit: Sendable, Equatable {
    public enum Kind {
        @inlinable public static var slice: UInt8 { 1 }
        @inlinable public static var partitionA: UInt8 { 2 }
        @inlinable public static var idrSlice: UInt8 { 5 }
        @inlinable public static var sei: UInt8 { 6 }
        @inlinable public static var sequenceParameters: UInt8 { 7 }
        @inlinable public static var pictureParameters: UInt8 { 8 }
        @inlinable public static var delimiter: UInt8 { 9 }
    }

    /// nal_unit_type.
    public let type: UInt8
    /// Where its start code begins, with the zero octet that may stand before it.
    public let start: Int
    /// From its header octet to its end, without trailing zeros.
    public let range: Range<Int>

    @inlinable
    public init(type: UInt8, start: Int, range: Range<Int>) {
        self.type = type
        self.start = start
        self.range = range
    }

    /// A slice, or what begins one: types 1, 2 and 5.
    @inlinable public var isSlice: Bool {
        type == Kind.slice || type == Kind.idrSlice || type == Kind.partitionA
    }
}
