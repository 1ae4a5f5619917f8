// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

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
    /// Counts the changes of `programs` and `services`.
    public private(set) var listings = 0

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

    private var chosen: ProgramChoice?
    private var audioLanguage: String?
    private var target: PAT.Program?
    private var listed: [(section: UInt8, program: PAT.Program)] = []
    private var presence = StreamPresence()
    private var contents = StreamContents()
    /// The streams of the program as its map has them.
    private var mapped: [ElementaryStream] = []
    private var others = OtherProgram()
    private var associations = TableReader(tableID: PAT.tableID)
    private var maps = TableReader(tableID: PMT.tableID)
    private var descriptions = TableReader(tableID: SDT.tableID)

    /// - Parameter choice: the program to follow; nil for the first of the PAT.
    public init(program choice: ProgramChoice? = nil, audioLanguage: String? = nil) {
        chosen = choice
        self.audioLanguage = audioLanguage
    }

    /// Follows another program or another audio language from now on. After a change of program, `program` is nil until
    /// the map comes.
    /// - Returns: whether `program` changed.
    public mutating func choose(program choice: ProgramChoice?, audioLanguage: String?) -> Bool {
        let before = program
        let isSame = choice == chosen
        chosen = choice
        self.audioLanguage = audioLanguage
        find(orKeep: isSame)
        if let known = program { program = chooseStreams(of: known) }
        return program != before
    }

    /// The program with the streams of its map as they are.
    private mutating func describe(_ pcrPID: UInt16?) -> Program? {
        guard let target else { return nil }
        let listing = Program(
            number: target.number, mapPID: target.mapPID, pcrPID: pcrPID, streams: contents.correct(mapped))
        presence.follow(listing)
        return listing
    }

    private func chooseStreams(of known: Program) -> Program {
        Program(
            number: known.number, mapPID: known.mapPID, pcrPID: known.pcrPID, streams: known.streams,
            audioLanguage: audioLanguage, absent: presence.absent)
    }

    /// To be called for each packet that has payload_unit_start_indicator.
    /// - Returns: whether other streams of the program are delivered from now on: one that is not there gives way to the
    ///   next of its kind, or is back.
    mutating func unitBegan(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let known = program else { return false }
        let hasContents = contents.look(at: packet, in: bytes, of: mapped)
        let hasPresence = presence.look(at: packet, in: bytes, of: known)
        guard hasContents || hasPresence else { return false }
        if hasContents { program = describe(known.pcrPID) }
        program = program.map { chooseStreams(of: $0) }
        return hasContents || program?.video != known.video || program?.audio != known.audio
    }

    /// - Returns: whether `program` changed.
    public mutating func push(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        switch packet.pid {
        case PID.programAssociation: return pushAssociation(packet, in: bytes)
        case target?.mapPID: return pushMap(packet, in: bytes)
        case PID.serviceDescription where !isTaken(packet.pid): return pushDescription(packet, in: bytes)
        default:
            noteOtherMap(packet, in: bytes)
            return false
        }
    }

    /// Passes over a program whose map does not come, when that of another has come often enough.
    private mutating func noteOtherMap(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) {
        // The program last: to look at it is to copy it, and most packets are of one program's streams.
        guard listed.count > 1, packet.startsUnit, !packet.payload.isEmpty, chosen == nil, program == nil
        else { return }
        let section = packet.payload.lowerBound + 1 + Int(bytes[packet.payload.lowerBound])
        guard section + 5 <= packet.payload.upperBound, bytes[section] == PMT.tableID else { return }
        let number = UInt16(bytes[section + 3]) << 8 | UInt16(bytes[section + 4])
        let other = PAT.Program(number: number, mapPID: packet.pid)
        guard number != target?.number, listed.contains(where: { $0.program == other }) else { return }
        if others.mapSeen(of: number, among: programs) { find(orKeep: false) }
    }

    /// Whether a PID that DVB assigns to a table has something else in this stream: the program's map or what that lists.
    func isTaken(_ pid: UInt16) -> Bool {
        pid == target?.mapPID || program?.streams.contains { $0.pid == pid } ?? false
    }

    private mutating func pushAssociation(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        var news: [(table: PAT, header: SectionHeader)] = []
        associations.push(packet, in: bytes) { (section, header) throws(WireError) in
            news.append((try PAT(section, header: header), header))
            return true
        }
        guard !news.isEmpty else { return false }
        let before = program
        for (table, header) in news { list(table, header) }
        find(orKeep: true)
        return program != before
    }

    /// Follows the program that is meant.
    /// - Parameter keeps: whether the program followed is kept while the stream lists it and no service has the chosen
    ///   name: a service may be renamed.
    private mutating func find(orKeep keeps: Bool) {
        let kept = keeps ? target.flatMap { listed(number: $0.number) } : nil
        switch chosen {
        case nil:
            follow(kept ?? others.choice(among: programs).flatMap { listed(number: $0) })
        case .number(let number): follow(listed(number: number))
        case .name(let name):
            let named = services.filter { $0.name == name }
            follow(named.compactMap { listed(number: $0.id) }.first ?? kept)
        }
    }

    private func listed(number: UInt16) -> PAT.Program? { listed.first { $0.program.number == number }?.program }

    private mutating func list(_ table: PAT, _ header: SectionHeader) {
        listings &+= 1
        others.listChanged()
        listed.removeAll { $0.section == header.number || $0.section > header.lastNumber }
        let place = listed.firstIndex { $0.section > header.number } ?? listed.count
        listed.insert(contentsOf: table.programs.map { (header.number, $0) }, at: place)
        listed = Array(listed.prefix(ProgramFollower.maximumPrograms))
    }

    private mutating func follow(_ found: PAT.Program?) {
        guard found != target else { return }
        target = found
        program = nil
        presence = StreamPresence()
        (contents, mapped) = (StreamContents(), [])
        others.programFollowed()
        maps.reset(tableExtension: found?.number)
    }

    private mutating func pushMap(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        var news: PMT?
        let sectionsBefore = maps.counts.sections
        maps.push(packet, in: bytes) { (section, header) throws(WireError) in
            let map = try PMT(section, header: header)
            news = map
            return map.isWhole
        }
        noteOtherMap(packet, in: bytes)
        let before = program
        if let map = news {
            mapped = map.streams
            contents.follow(mapped)
            if let listing = describe(map.pcrPID) {
                refusedStreams &+= UInt64(listing.refusedStreams)
                program = chooseStreams(of: listing)
            }
        }
        if let program, chosen == nil, listed.count > 1, maps.counts.sections != sectionsBefore,
            others.mapCame(
                of: program.number, listsMedia: !program.media.isEmpty, hasMedia: presence.hasMedia)
        {
            find(orKeep: false)
        }
        return program != before
    }

    private mutating func pushDescription(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        var news: [SDT.Service] = []
        descriptions.push(packet, in: bytes) { (section, header) throws(WireError) in
            let table = try SDT(section, header: header)
            news += table.services
            return table.isWhole
        }
        guard !news.isEmpty else { return false }
        let before = program
        listings &+= 1
        services.removeAll { known in news.contains { $0.id == known.id } }
        services = (services + news).suffix(ProgramFollower.maximumServices)
        find(orKeep: true)
        return program != before
    }

    /// Limits on what is remembered, for a stream that adds new services or programs without end.
    static var maximumServices: Int { 256 }
    static var maximumPrograms: Int { 1_024 }
}
