// SPDX-License-Identifier: Apache-2.0
import Bytes

/// One section of the program association table (ISO/IEC 13818-1 2.4.4.3): the PID of each program's map.
public struct PAT: Sendable, Equatable {
    public struct Program: Sendable, Equatable {
        public let number: UInt16
        public let mapPID: UInt16

        public init(number: UInt16, mapPID: UInt16) {
            self.number = number
            self.mapPID = mapPID
        }
    }

    public static var tableID: UInt8 { 0x00 }

    public let transportStreamID: UInt16
    /// The programs without number 0, which is the network information. The length of a section allows at most 253.
    public let programs: [Program]

    public init(transportStreamID: UInt16, programs: [Program]) {
        self.transportStreamID = transportStreamID
        self.programs = programs
    }

    /// - Parameter section: the whole section with its CRC.
    public init(_ section: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(section, header: try SectionHeader(section, tableID: PAT.tableID))
    }

    init(_ section: UnsafeRawBufferPointer, header: SectionHeader) throws(WireError) {
        var reader = WireReader(section, in: header.body)
        var programs: [Program] = []
        while reader.remaining >= 4 {  // what is left at the end is no entry
            let number: UInt16 = try reader.read()
            let pid: UInt16 = try reader.read()
            if number != 0 { programs.append(Program(number: number, mapPID: pid & 0x1FFF)) }
        }
        self.init(transportStreamID: header.tableExtension, programs: programs)
    }
}
