// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The program map (ISO/IEC 13818-1 2.4.4.8): the streams of a program. It is always one section.
public struct PMT: Sendable, Equatable {
    public static var tableID: UInt8 { 0x02 }

    public let programNumber: UInt16
    /// PID of the packets that carry the PCR; nil if no packets do (0x1FFF).
    public let pcrPID: UInt16?
    /// The streams in the order of the table. The length of a section allows at most 201.
    public let streams: [ElementaryStream]
    /// Whether each entry and each descriptor could be read; what could not is left out.
    public let isWhole: Bool

    public init(programNumber: UInt16, pcrPID: UInt16?, streams: [ElementaryStream], isWhole: Bool = true) {
        self.programNumber = programNumber
        self.pcrPID = pcrPID
        self.streams = streams
        self.isWhole = isWhole
    }

    /// - Parameter section: the whole section with its CRC.
    public init(_ section: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(section, header: try SectionHeader(section, tableID: PMT.tableID))
    }

    init(_ section: UnsafeRawBufferPointer, header: SectionHeader) throws(WireError) {
        var reader = WireReader(section, in: header.body)
        let pcr: UInt16 = try reader.read()
        let programInfo: UInt16 = try reader.read()
        var descriptors = Descriptors(from: &reader, length: Int(programInfo & 0xFFF))
        var registration: UInt32?
        var isWhole = descriptors.forEach { (tag, content) throws(WireError) in
            if tag == Descriptors.Tag.registration, registration == nil { registration = try content.read() }
        }
        var streams: [ElementaryStream] = []
        while !reader.isAtEnd {
            do throws(WireError) {
                streams.append(
                    try ElementaryStream(from: &reader, programRegistration: registration, isWhole: &isWhole))
            } catch {  // not even five octets are left
                isWhole = false
                _ = reader.takeRest()
            }
        }
        self.init(
            programNumber: header.tableExtension, pcrPID: pcr & 0x1FFF == PID.null ? nil : pcr & 0x1FFF,
            streams: streams, isWhole: isWhole)
    }
}
