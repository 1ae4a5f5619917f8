// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Counts errors in the transport stream of one program by ETSI TR 101 290, priorities 1 and 2. Times are arrival
/// times. It is owned by one thread and allocates only when the program changes.
///
/// - It watches the program that is followed and the tables of the whole stream. Other programs are other channels.
/// - An absence (PAT, PMT, PID, PCR, PTS, CAT) counts once when its time has passed, and again only after the next
///   arrival.
/// - PIDs of subtitles and data may pause for any time.
/// - It does not read packet continuity and the program's tables itself: their reader reports them.
public struct StreamMonitor: Sendable {
    public private(set) var counts = IndicatorCounts()
    public let limits: MonitorLimits
    /// The largest PCR error since `takeWorstPCR` was last called.
    var worstPCR = Nanoseconds.zero

    /// The role of each PID (`Place`), indexed by PID.
    @usableFromInline var places = [UInt8](repeating: 0, count: PID.count)
    /// Watches in the order of `Watched`, then one for each stream's packets, then one for each stream's PTS.
    @usableFromInline var watches: [AbsenceWatch]
    /// The watched streams of the program, by `Place` from `firstStream` on.
    var streams: [WatchedStream] = []
    /// Number of packets so far, including the current one.
    @usableFromInline var position: Int64 = 0
    @usableFromInline var sync = SyncWatch()
    /// Earliest instant at which something can become overdue.
    @usableFromInline var nextDeadline = Monotonic(nanoseconds: .min)
    var ledger = TableLedger()
    var conditionalAccess = SectionWatch(tableID: 0x01)
    var network = SectionWatch(tableID: nil)
    var events = SectionWatch(tableID: nil)
    var time = SectionWatch(tableID: nil)
    var lastScrambled: Monotonic?
    /// The last PCR. `isFollowed` is false if the next PCR may jump.
    var lastPCR: (value: UInt64, arrival: Monotonic, isFollowed: Bool)?
    var rate = ConstantRate()
    /// Whether null packets were seen; a stream without them has no constant rate, except by accident.
    @usableFromInline var hasStuffing = false
    /// Whether the next arrival is the first of a stream.
    private var isFresh = true

    /// The largest number of watched streams: video, audio and PCR.
    static let maximumStreams = 32

    /// The role of a PID. Values from `firstStream` on are indices of `streams`.
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

    /// Indices in `watches`.
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

    /// The indicators that are overdue now.
    public var overdue: StreamIndicator.Set {
        watches.reduce(into: []) { if $1.isOverdue { $0.insert(StreamIndicator.Set($1.indicator)) } }
    }

    /// Whether the accuracy of PCRs is measured, because the rate is constant.
    public var isConstantRate: Bool { hasStuffing && rate.isLocked }

    /// Returns the largest PCR error since the last call.
    public mutating func takeWorstPCR() -> Nanoseconds {
        defer { worstPCR = .zero }
        return worstPCR
    }

    // MARK: Input

    /// Call it before the packets of a datagram.
    @inlinable
    public mutating func datagramReceived(at arrival: Monotonic) {
        if arrival >= nextDeadline { expire(at: arrival) }
    }

    /// Time has passed, and everything that arrived before `now` has been reported.
    public mutating func tick(at now: Monotonic) {
        if !isFresh, now >= nextDeadline { expire(at: now) }
    }

    /// A packet of 188 octets with a sync byte was found. Call it for each, also for a packet that is not read further.
    @inlinable
    public mutating func packetFound() {
        position &+= 1
        if sync.unsettled > 0 { sync.good() }
    }

    /// Octets in which no packet was found, although packets should begin there at each 188 octets.
    /// - Parameter range: range in `bytes`, which are one datagram.
    public mutating func packetsMissed(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        guard !range.isEmpty else { return }
        rate.interrupt()
        for place in stride(from: range.lowerBound, to: min(range.upperBound, bytes.count), by: TSPacket.size) {
            // A whole packet was skipped in the search for consecutive sync bytes.
            if bytes[place] == TSPacket.syncByte, place <= bytes.count - TSPacket.size {
                sync.good()
            } else {
                counts[.syncByte] += 1
                if sync.bad() { counts[.syncLoss] += 1 }
            }
        }
    }

    /// A packet with transport_error_indicator was received. Nothing else is reported of it.
    public mutating func damagedPacketReceived() { counts[.transport] += 1 }

    /// The continuity counter says that packets are missing.
    public mutating func continuityBroken() {
        counts[.continuityCount] += 1
        rate.interrupt()
    }

    /// Datagrams are missing before the next one.
    public mutating func packetsLost() { rate.interrupt() }

    /// The sender changed: what follows does not continue the stream.
    public mutating func senderChanged() {
        isFresh = true
        nextDeadline = Monotonic(nanoseconds: .min)
        lastPCR = nil
        lastScrambled = nil
        hasStuffing = false
        rate.interrupt()
        sync = SyncWatch()
    }

    /// Another program is followed.
    /// - Parameter ledger: that of the program's follower, whose counts go on.
    public mutating func programChosen(_ ledger: TableLedger) {
        self.ledger = ledger
        self.ledger.mapPID = nil
        self.ledger.program = nil
        follow(at: Monotonic(nanoseconds: 0))
    }

    /// Takes the packets of all PIDs in stream order, each once.
    /// - Parameters:
    ///   - bytes: the bytes that the packet was read from.
    ///   - ledger: returns the ledger of the program's follower, which has read this packet already; called only for
    ///     packets of tables.
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

    /// What `watches[watched]` waits for has arrived.
    mutating func came(_ watched: Int, at arrival: Monotonic) {
        if watches[watched].cameInTime(at: arrival) { return }
        let wasWaiting = watches[watched].deadline != nil
        if watches[watched].came(at: arrival) { counts[watches[watched].indicator] += 1 }
        if !wasWaiting, let deadline = watches[watched].deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    /// What `watches[watched]` waits for is expected from now on.
    mutating func expect(_ watched: Int, from arrival: Monotonic) {
        watches[watched].expect(from: arrival)
        if let deadline = watches[watched].deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    mutating func count(_ indicator: StreamIndicator, _ count: Int64 = 1) { counts[indicator] += count }
}
