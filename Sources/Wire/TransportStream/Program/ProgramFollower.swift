// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Follows PAT and PMT to one program, and on to what it becomes. Allocates only when a table changes.
public struct ProgramFollower: Sendable {
    /// The program followed; nil until its map was read, and while the PAT does not list it.
    public private(set) var program: Program?
    /// What the SDT calls the program's service.
    public var service: SDT.Service? { services.first { $0.id == target?.number } }

    /// Sections whose CRC does not hold.
    public var crcErrors: UInt64 { associations.crcErrors &+ maps.crcErrors &+ descriptions.crcErrors }
    /// Sections that hold other than their standard says.
    public var malformedSections: UInt64 {
        associations.malformedSections &+ maps.malformedSections &+ descriptions.malformedSections
    }

    private let chosen: UInt16?
    private var target: PAT.Program?
    private var services: [SDT.Service] = []
    private var associations = TableReader(tableID: PAT.tableID)
    private var maps = TableReader(tableID: PMT.tableID)
    private var descriptions = TableReader(tableID: SDT.tableID)

    /// - Parameter number: the program to follow; nil for the first of the PAT.
    public init(program number: UInt16? = nil) { chosen = number }

    /// - Returns: whether `program` is another one now.
    public mutating func push(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        switch packet.pid {
        case PID.programAssociation: return pushAssociation(packet, in: bytes)
        case PID.serviceDescription:
            pushDescription(packet, in: bytes)
            return false
        case target?.mapPID: return pushMap(packet, in: bytes)
        default: return false
        }
    }

    private mutating func pushAssociation(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        var news: [(table: PAT, header: SectionHeader)] = []
        associations.push(packet, in: bytes) { (section, header) throws(WireError) in
            news.append((try PAT(section, header: header), header))
        }
        let before = program
        for (table, header) in news {
            follow(table, isOnlySection: header.lastNumber == 0, isFirst: header.number == 0)
        }
        return program != before
    }

    private mutating func follow(_ table: PAT, isOnlySection: Bool, isFirst: Bool) {
        let wanted = chosen ?? target?.number
        var found = table.programs.first { $0.number == wanted }
        if found == nil, chosen == nil, isFirst, isOnlySection || target == nil { found = table.programs.first }
        guard found != target, found != nil || isOnlySection else { return }
        target = found
        program = nil
        maps.reset(tableExtension: found?.number)
    }

    private mutating func pushMap(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        var news: PMT?
        maps.push(packet, in: bytes) { (section, header) throws(WireError) in news = try PMT(section, header: header) }
        guard let map = news, let target else { return false }
        let before = program
        program = Program(number: target.number, mapPID: target.mapPID, pcrPID: map.pcrPID, streams: map.streams)
        return program != before
    }

    private mutating func pushDescription(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) {
        var news: [SDT.Service] = []
        descriptions.push(packet, in: bytes) { (section, header) throws(WireError) in
            news += try SDT(section, header: header).services
        }
        guard !news.isEmpty else { return }
        services.removeAll { known in news.contains { $0.id == known.id } }
        services = (services + news).suffix(ProgramFollower.maximumServices)
    }

    /// Services remembered; a stream that invents new ones for ever costs no more.
    static var maximumServices: Int { 256 }
}
