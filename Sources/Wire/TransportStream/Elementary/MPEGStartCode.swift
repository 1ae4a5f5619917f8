// SPDX-License-Identifier: Apache-2.0

/// Start code values of ISO/IEC 13818-2 (table 6-1): the last octet of a start code.
enum MPEGStartCode {
    static let picture: UInt8 = 0x00
    static let slices: ClosedRange<UInt8> = 0x01...0xAF
    static let sequence: UInt8 = 0xB3
    static let `extension`: UInt8 = 0xB5
    static let group: UInt8 = 0xB8
    /// extension_start_code_identifier.
    static let pictureCodingExtension: UInt32 = 8
    static let sequenceExtension: UInt8 = 1
}
