// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Counts the faults of one program's transport stream by ETSI TR 101 290, priorities 1 and 2. Time is that of arrival.
/// Owned by one thread; allocates only when the program becomes another.
///
/// - What is watched is the program that is followed, and the tables of the whole: other programs are other channels.
/// - What stays away (PAT, map, PID, PCR, PTS, CAT) counts once when it is too late, and again only after it came.
/// - PIDs of subtitles and data may pause as they like.
/// - The continuity of packets and the tables of the program are not read a second time: whoever reads them tells.
public struct StreamMonitor: Sendable {
    public private(set) var counts = IndicatorCounts()
    public let limits: MonitorLimits
    /// The farthest that a PCR was off, since `takeWorstPCR` was called.
    var worstPCR = Nanoseconds.zero

    /// What a PID is here, by PID.
    @usableFromInline var places = [UInt8](repeating: 0, count: PID.count)
    /// In the order of `Watched`, then one for each stream's packets, then one for each stream's PTS.
    @usableFromInline var watches: [AbsenceWatch]
    /// Of the program, by their place.
    var streams: [WatchedStream] = []
    /// Packets so far, the one at hand among them.
    @usableFromInline var position: Int64 = 0
    @usableFromInline var sync = SyncWatch()
    /// Before it nothing can be too late.
    @usableFromInline var nextDeadline = Monotonic(nanoseconds: .min)
    var ledger = TableLedger()
    var conditionalAccess = SectionWatch(tableID: 0x01)
    var network = SectionWatch(tableID: nil)
    var events = SectionWatch(tableID: nil)
    var time = SectionWatch(tableID: nil)
    var lastScrambled: Monotonic?
    /// Whether the next one has to follow it.
    var lastPCR: (value: UInt64, arrival: Monotonic, isFollowed: Bool)?
    var rate = ConstantRate()
    /// A stream without null packets has no constant rate, but by accident.
    @usableFromInline var hasStuffing = false
    /// The next arrival is the first of a stream.
    private var isFresh = true

    /// Of pictures, sound and clock that are watched, at most.
    static let maximumStreams = 32

    /// What a PID is; the streams come behind.
    @usableFromInline
    enum Place {
        @inlinable static var none: UInt8 { 0 }
        static let association: UInt8 = 1
        static let map: UInt8 = 2
        static let conditionalAccess: UInt8 = 3
        static let network: UInt8 = 4
        static let description: UInt8 = 5
        static let events: UInt8 = 6
        static let time: UInt8 = 7
        @inlinable static var firstStream: UInt8 { 8 }
    }

    /// Places in `watches`.
    enum Watched {
        static let association = 0
        static let map = 1
        static let conditionalAccess = 2
        static let clock = 3
        static let firstStream = 4
        static var firstPTS: Int { firstStream + maximumStreams }
    }

    public init(limits: MonitorLimits = MonitorLimits()) {
        self.limits = limits
        watches =
            [
                AbsenceWatch(.pat, within: limits.pat), AbsenceWatch(.pmt, within: limits.pmt),
                AbsenceWatch(.cat, within: limits.pid), AbsenceWatch(.pcrRepetition, within: limits.pcrRepetition),
            ] + [AbsenceWatch](repeating: AbsenceWatch(.pid, within: limits.pid), count: StreamMonitor.maximumStreams)
            + [AbsenceWatch](repeating: AbsenceWatch(.pts, within: limits.pts), count: StreamMonitor.maximumStreams)
        places[Int(PID.programAssociation)] = Place.association
        places[Int(PID.conditionalAccess)] = Place.conditionalAccess
        places[Int(PID.networkInformation)] = Place.network
        places[Int(PID.serviceDescription)] = Place.description
        places[Int(PID.eventInformation)] = Place.events
        places[Int(PID.time)] = Place.time
    }

    /// What is away at the moment, since too long.
    public var overdue: StreamIndicator.Set {
        watches.reduce(into: []) { if $1.isOverdue { $0.insert(StreamIndicator.Set($1.indicator)) } }
    }

    /// Whether PCRs are held against a constant rate.
    public var isConstantRate: Bool { hasStuffing && rate.isLocked }

    /// The farthest that a PCR was off since this was asked last.
    public mutating func takeWorstPCR() -> Nanoseconds {
        defer { worstPCR = .zero }
        return worstPCR
    }

    // MARK: Input

    /// Before the packets of a datagram.
    @inlinable
    public mutating func datagramReceived(at arrival: Monotonic) {
        if arrival >= nextDeadline { expire(at: arrival) }
    }

    /// Time passed, and nothing that came before `now` is still to be told.
    public mutating func tick(at now: Monotonic) {
        if !isFresh, now >= nextDeadline { expire(at: now) }
    }

    /// A packet of 188 octets behind a sync byte: each, also those that tell nothing else.
    @inlinable
    public mutating func packetFound() {
        position &+= 1
        if sync.unsettled > 0 { sync.good() }
    }

    /// Octets in which no packet was found, though packets should begin there, each 188 octets.
    /// - Parameter range: of `bytes`, one datagram.
    public mutating func packetsMissed(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        guard !range.isEmpty else { return }
        rate.interrupt()
        for place in stride(from: range.lowerBound, to: min(range.upperBound, bytes.count), by: TSPacket.size) {
            // One that is whole was passed over in search of a run.
            if bytes[place] == TSPacket.syncByte, place <= bytes.count - TSPacket.size {
                sync.good()
            } else {
                counts[.syncByte] += 1
                if sync.bad() { counts[.syncLoss] += 1 }
            }
        }
    }

    /// transport_error_indicator: of such a packet nothing else is told.
    public mutating func damagedPacketReceived() { counts[.transport] += 1 }

    /// The continuity counter says that packets are missing.
    public mutating func continuityBroken() {
        counts[.continuityCount] += 1
        rate.interrupt()
    }

    /// Datagrams are missing in front of the next.
    public mutating func packetsLost() { rate.interrupt() }

    /// What follows does not continue what was.
    public mutating func senderChanged() {
        isFresh = true
        nextDeadline = Monotonic(nanoseconds: .min)
        lastPCR = nil
        lastScrambled = nil
        hasStuffing = false
        rate.interrupt()
        sync = SyncWatch()
    }

    /// Another program is followed, by another ledger.
    public mutating func programChosen() {
        ledger = TableLedger()
        follow(at: Monotonic(nanoseconds: 0))
    }

    /// Takes the packets of all PIDs in stream order, each once.
    /// - Parameters:
    ///   - bytes: those that the packet was read from.
    ///   - ledger: of who follows the program and has read this packet already; asked for at its tables alone.
    @inlinable
    public mutating func packetReceived(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic, ledger: () -> TableLedger
    ) {
        let place = places[Int(packet.pid)]
        if place == Place.none {
            if packet.pid == PID.null {
                hasStuffing = true
            } else if packet.isScrambled {
                scrambledPacketReceived(place, at: arrival)
            }
            return
        }
        if packet.isScrambled { scrambledPacketReceived(place, at: arrival) }
        if place >= Place.firstStream {
            streamPacketReceived(packet, in: bytes, at: arrival, place: place)
        } else {
            tablePacketReceived(packet, in: bytes, at: arrival, place: place, ledger: ledger)
        }
    }

    // MARK: Absence

    @usableFromInline
    mutating func expire(at now: Monotonic) {
        if isFresh {
            isFresh = false
            for index in watches.indices { watches[index].restart(at: now) }
            watches[Watched.association].expect(from: now)
        }
        if let scrambled = lastScrambled, now - scrambled > limits.pid {
            lastScrambled = nil
            watches[Watched.conditionalAccess].forget()
        }
        var next = Monotonic(nanoseconds: .max)
        for index in watches.indices {
            if watches[index].expire(at: now) { counts[watches[index].indicator] += 1 }
            if let deadline = watches[index].deadline { next = min(next, deadline) }
        }
        nextDeadline = next
    }

    /// What is watched in this place came.
    mutating func came(_ watched: Int, at arrival: Monotonic) {
        if watches[watched].cameInTime(at: arrival) { return }
        let wasWaiting = watches[watched].deadline != nil
        if watches[watched].came(at: arrival) { counts[watches[watched].indicator] += 1 }
        if !wasWaiting, let deadline = watches[watched].deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    /// What is watched in this place has to come.
    mutating func expect(_ watched: Int, from arrival: Monotonic) {
        watches[watched].expect(from: arrival)
        if let deadline = watches[watched].deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    mutating func count(_ indicator: StreamIndicator, _ count: Int64 = 1) { counts[indicator] += count }
}
