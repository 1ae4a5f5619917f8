// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Follows one program by PAT and PMT through all its changes. It allocates only when a table changes.
public struct ProgramFollower: Sendable {
    /// The program followed; nil until its map has been read, and while the PAT does not list it.
    public private(set) var program: Program?
    /// The SDT's entry for the program; nil if there is none.
    public var service: SDT.Service? { services.first { $0.id == target?.number } }
    /// The SDT's entries for the services of the stream, at most 256.
    public private(set) var services: [SDT.Service] = []
    /// The programs of the PAT, in its order, at most 1024.
    public var programs: [UInt16] { listed.map(\.program.number) }

    /// Sections whose CRC is wrong.
    public var crcErrors: UInt64 {
        associations.counts.crcErrors &+ maps.counts.crcErrors &+ descriptions.counts.crcErrors
    }
    /// Sections whose content violates their standard.
    public var malformedSections: UInt64 {
        associations.malformedSections &+ maps.malformedSections &+ descriptions.malformedSections
    }
    /// Streams of program maps that have the PID of a table or of another stream.
    public private(set) var refusedStreams: UInt64 = 0

    /// Counts of the tables so far, and the program followed.
    public var ledger: TableLedger {
        TableLedger(
            association: associations.counts, map: maps.counts, description: descriptions.counts,
            mapPID: target?.mapPID, program: program)
    }

    private var chosen: UInt16?
    private var audioLanguage: String?
    private var target: PAT.Program?
    private var listed: [(section: UInt8, program: PAT.Program)] = []
    private var associations = TableReader(tableID: PAT.tableID)
    private var maps = TableReader(tableID: PMT.tableID)
    private var descriptions = TableReader(tableID: SDT.tableID)

    /// - Parameter number: the program to follow; nil for the first of the PAT.
    public init(program number: UInt16? = nil, audioLanguage: String? = nil) {
        chosen = number
        self.audioLanguage = audioLanguage
    }

    /// Follows another program or another audio language from now on. After a change of program, `program` is nil until
    /// the map comes.
    /// - Returns: whether `program` changed.
    public mutating func choose(program number: UInt16?, audioLanguage: String?) -> Bool {
        let before = program
        chosen = number
        self.audioLanguage = audioLanguage
        follow(listed.first { number == nil || $0.program.number == number }?.program)
        if let known = program {
            program = Program(
                number: known.number, mapPID: known.mapPID, pcrPID: known.pcrPID, streams: known.streams,
                audioLanguage: audioLanguage)
        }
        return program != before
    }

    /// - Returns: whether `program` changed.
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
        guard !news.isEmpty else { return false }
        let before = program
        for (table, header) in news { list(table, header) }
        let wanted = chosen ?? target?.number
        let found = listed.first { $0.program.number == wanted } ?? (chosen == nil ? listed.first : nil)
        follow(found?.program)
        return program != before
    }

    private mutating func list(_ table: PAT, _ header: SectionHeader) {
        listed.removeAll { $0.section == header.number || $0.section > header.lastNumber }
        let place = listed.firstIndex { $0.section > header.number } ?? listed.count
        listed.insert(contentsOf: table.programs.map { (header.number, $0) }, at: place)
        listed = Array(listed.prefix(ProgramFollower.maximumPrograms))
    }

    private mutating func follow(_ found: PAT.Program?) {
        guard found != target else { return }
        target = found
        program = nil
        maps.reset(tableExtension: found?.number)
    }

    private mutating func pushMap(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        var news: PMT?
        maps.push(packet, in: bytes) { (section, header) throws(WireError) in news = try PMT(section, header: header) }
        guard let map = news, let target else { return false }
        let before = program
        let now = Program(
            number: target.number, mapPID: target.mapPID, pcrPID: map.pcrPID, streams: map.streams,
            audioLanguage: audioLanguage)
        refusedStreams &+= UInt64(now.refusedStreams)
        program = now
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

    /// Limits on what is remembered, for a stream that adds new services or programs without end.
    static var maximumServices: Int { 256 }
    static var maximumPrograms: Int { 1_024 }
}
