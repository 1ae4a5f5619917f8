// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Reads a descriptor loop (ISO/IEC 13818-1 2.6): tag, length and content of each descriptor.
struct Descriptors {
    enum Tag {
        static let registration: UInt8 = 0x05
        static let language: UInt8 = 0x0A
        static let service: UInt8 = 0x48
        static let shortEvent: UInt8 = 0x4D
        static let extendedEvent: UInt8 = 0x4E
        static let streamIdentifier: UInt8 = 0x52
        static let content: UInt8 = 0x54
        static let parentalRating: UInt8 = 0x55
        static let localTimeOffset: UInt8 = 0x58
        static let ac3: UInt8 = 0x6A
        static let enhancedAC3: UInt8 = 0x7A
        static let dts: UInt8 = 0x7B
        static let aac: UInt8 = 0x7C
        /// extension_descriptor: descriptor_tag_extension follows.
        static let `extension`: UInt8 = 0x7F
        /// The descriptor_tag_extension of Opus; channel_config_code follows.
        static let opus: UInt8 = 0x80
    }

    private var reader: WireReader

    init(_ reader: WireReader) { self.reader = reader }

    /// The next descriptor's tag and a reader of its content; nil at the end.
    mutating func next() throws(WireError) -> (tag: UInt8, content: WireReader)? {
        guard !reader.isAtEnd else { return nil }
        let tag: UInt8 = try reader.read()
        let length: UInt8 = try reader.read()
        return (tag, try reader.reader(of: Int(length)))
    }
}
