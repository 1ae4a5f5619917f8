// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Reads a descriptor loop (ISO/IEC 13818-1 2.6): tag, length and content of each descriptor.
///
/// A descriptor that is wrong costs itself: one whose content cannot be read is passed over, one that reaches beyond the
/// loop ends it.
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
        /// ATSC's own, user private elsewhere (A/52 annexes A and G).
        static let ac3OfATSC: UInt8 = 0x81
        static let enhancedAC3OfATSC: UInt8 = 0xCC
        /// extension_descriptor: descriptor_tag_extension follows.
        static let `extension`: UInt8 = 0x7F
        /// The descriptor_tag_extension of Opus; channel_config_code follows.
        static let opus: UInt8 = 0x80
        /// The descriptor_tag_extension of a supplementary_audio_descriptor (ETSI EN 300 468 6.4.11).
        static let supplementaryAudio: UInt8 = 0x06
    }

    /// Whether the loop ends where its length says.
    private let isComplete: Bool
    private var reader: WireReader

    init(_ reader: WireReader) {
        self.reader = reader
        isComplete = true
    }

    /// The loop of `length` octets that begins at `reader`, or what is there of it.
    init(from reader: inout WireReader, length: Int) {
        isComplete = length <= reader.remaining
        let start = reader.offset
        let rest = reader.takeRest()
        let end = isComplete ? start + length : rest.upperBound
        self.reader = WireReader(reader.bytes, in: start..<end)
        reader = WireReader(reader.bytes, in: end..<rest.upperBound)
    }

    /// Calls `read` with the tag and a reader of the content of each descriptor.
    /// - Parameter read: throws if the content cannot be read; the next descriptor follows all the same.
    /// - Returns: whether all of the loop could be read.
    mutating func forEach(_ read: (UInt8, inout WireReader) throws(WireError) -> Void) -> Bool {
        var isWhole = isComplete
        while !reader.isAtEnd {
            do throws(WireError) {
                let tag: UInt8 = try reader.read()
                let length: UInt8 = try reader.read()
                guard Int(length) <= reader.remaining else { return false }
                var content = try reader.reader(of: Int(length))
                try read(tag, &content)
            } catch {
                isWhole = false
            }
        }
        return isWhole
    }
}
