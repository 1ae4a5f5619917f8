// SPDX-License-Identifier: Apache-2.0
import Bytes
import ErasureCoding
import Media
import RTP
import Time
import TransportStream

/// The packets of one RTP session: of one payload type and one sender, by one or two paths, repaired and put in order.
/// Owned by one thread; all memory is taken in `init`.
final class RTPFlow {
    /// What is delivered of each packet.
    enum Content { case payload, wholePacket }

    /// Bytes that are valid during the call, their arrival, and whether packets are missing before them.
    typealias Delivery = (UnsafeRawBufferPointer, Monotonic, _ afterLoss: Bool) -> Void

    /// How long an early packet waits for the ones before it. It is longer than the reordering of switches and access
    /// points and shorter than what a viewer notices.
    static let reorderHold = Nanoseconds.milliseconds(25)
    /// A second sender is accepted after the first has been silent for this long.
    private static let senderSilence = Nanoseconds.milliseconds(400)

    private var payloadType: UInt8
    private let takesAnyPayloadType: Bool
    private let content: Content
    private var repair: RepairStage
    private var isProtected: Bool
    private let hasSecondPath: Bool
    private var repairOrigin: RepairOrigin
    /// nil unless parity is looked for that nobody announced.
    private var detector: ParityDetector?
    /// What was found later; nil if the flow is received as it was at first. `offered`: to be used from the next tick on.
    private var reinforcement: FlowReinforcement?
    private var offered: FlowReinforcement?
    /// Packets that were lost before there was any protection.
    private var lostUnprotected: Int64 = 0
    private var counted = ReceptionCounters()
    private var window: ReorderWindow
    private var firstPath = PathRecord()
    private var secondPath = PathRecord()
    /// Recovered packets that the window still remembers.
    private var recovered: SequenceSet
    private(set) var jitter: ArrivalJitter
    private var losses = LossAttribution()
    private var sender: (ssrc: UInt32, lastHeard: Monotonic)?
    /// Told of recovered packets; nil unless the flow is recorded.
    var tap: (any InputTap)?

    /// - Parameters:
    ///   - takesAnyPayloadType: whether a sender of a transport stream may have another payload type.
    ///   - clockRate: clock rate of the time stamps, Hz.
    ///   - findsParity: whether parity is looked for; only if `protection` has no repair.
    init(
        payloadType: UInt8, takesAnyPayloadType: Bool = false, delivering content: Content, clockRate: Int = 90_000,
        protection: FlowProtection? = nil, findsParity: Bool = false
    ) {
        self.payloadType = payloadType
        self.takesAnyPayloadType = takesAnyPayloadType
        jitter = ArrivalJitter(clockRate: clockRate)
        self.content = content
        isProtected = protection != nil
        hasSecondPath = protection?.skew != nil
        repair = RepairStage(protection)
        repairOrigin = RepairOrigin(protection?.repair)
        detector = findsParity && protection?.repair == nil ? ParityDetector() : nil
        recovered = SequenceSet(span: 2 * (protection?.places ?? ReorderWindow.usualPlaces))
        if let protection {
            window = ReorderWindow(hold: protection.hold, places: protection.places, octets: protection.octets)
        } else {
            window = ReorderWindow(hold: Self.reorderHold)
        }
    }

    /// SSRC of the accepted sender; nil before the first packet.
    var ssrc: UInt32? { sender?.ssrc }
    /// Whether packets wait for others that are missing before them.
    var isHolding: Bool { window.isWaiting }
    /// Packets delivered.
    var passed: Int64 { window.passed }

    /// The greatest jitter since the last call.
    func takePeakJitter() -> Nanoseconds { jitter.takePeak() }

    /// - Parameter count: datagrams that the kernel dropped since the last report.
    func kernelDropped(_ count: Int64) { losses.kernelDropped(count) }

    /// Counts of datagrams, their order and their repair; nothing of the stream that they carry.
    var counters: ReceptionCounters {
        var result = counted
        if sender != nil { result.payloadType = Int64(payloadType) }
        result.repairOrigin = repairOrigin.rawValue
        result.lostPackets = window.lost
        result.lostToKernel = losses.lostToKernel
        result.lostToNetwork = losses.lostToNetwork
        guard isProtected else {
            result.lostBeforeRepair = window.lost
            return result
        }
        result.duplicatePackets += firstPath.duplicates + secondPath.duplicates
        result.reorderedPackets += firstPath.reordered + secondPath.reordered
        result.lostBeforeRepair = lostUnprotected + firstPath.lost
        if hasSecondPath {
            result.lostByFirstPath = firstPath.lost
            result.lostBySecondPath = secondPath.lost
        }
        repair.count(in: &result)
        return result
    }

    /// - Parameters:
    ///   - part: the flow to whose port the packet came.
    ///   - senderChanged: called between the last packet of one sender and the first of another.
    func packetReceived(
        _ bytes: UnsafeRawBufferPointer, of part: FlowPart = .media, at arrival: Monotonic, senderChanged: () -> Void,
        deliver: Delivery
    ) {
        guard part.isMedia else { return repairReceived(bytes, of: part, at: arrival, deliver: deliver) }
        let header: RTPHeader
        let packet = UnsafeRawBufferPointer(rebasing: bytes.dropLast(repair.trailingOctets))
        do throws(WireError) {
            header = try RTPHeader(packet)
        } catch {
            counted.malformedDatagrams += 1
            return
        }
        if header.payloadType != payloadType {
            guard takesAnyPayloadType, isSilent(at: arrival), holdsStream(packet, header) else {
                counted.wrongPayloadType += 1
                return
            }
            payloadType = header.payloadType
        }
        guard accepts(header.ssrc, at: arrival, senderChanged: senderChanged, deliver: deliver) else {
            counted.foreignSSRC += 1
            return
        }
        detector?.mediaReceived(packet, at: arrival)
        guard isProtected else {
            window.expire(at: arrival, deliver: deliver)
            return push(bytes, header, at: arrival, isRecovered: false, deliver)
        }
        // No gap is expired here: the packets that fill it may wait at other sockets, which are read before the next
        // tick. A packet that came after its recovery is counted here, because the repair stage may drop it.
        if window.has(header.sequence), recovered.contains(header.sequence) {
            recovered.remove(header.sequence)
            counted.needlessRecoveries += 1
        }
        if part == .secondPath {
            secondPath.received(header.sequence)
        } else {
            firstPath.received(header.sequence)
        }
        repair.mediaReceived(bytes, at: arrival) { packet, arrival, isRecovered in
            stored(packet, at: arrival, isRecovered: isRecovered, deliver)
        }
    }

    private func repairReceived(
        _ bytes: UnsafeRawBufferPointer, of part: FlowPart, at arrival: Monotonic, deliver: Delivery
    ) {
        if let detector {
            detector.parityReceived(bytes, on: part == .rows ? .rows : .columns, at: arrival)
            counted.foreignRepair = detector.foreign
            return
        }
        counted.repairDatagrams += 1
        repair.repairReceived(bytes, of: part, at: arrival) { packet, arrival, isRecovered in
            stored(packet, at: arrival, isRecovered: isRecovered, deliver)
        }
    }

    // MARK: Parity that nobody announced

    /// Whether parity is looked for and was not used yet.
    var isSearching: Bool { detector != nil }
    /// nil until parity of this flow was found, and when it is used.
    var finding: ParityDetector.Finding? { detector?.finding }

    /// Whether the port of a repair flow, where parity is looked for, brings something else.
    func isForeign(_ part: FlowPart) -> Bool {
        guard let detector, !part.isMedia else { return false }
        return detector.isForeign(part == .rows ? .rows : .columns)
    }

    /// Protects the flow from the next tick on; once.
    func reinforce(by other: FlowReinforcement) { if reinforcement == nil { offered = other } }

    private func take(_ other: FlowReinforcement, _ deliver: Delivery) {
        (reinforcement, offered) = (other, nil)
        // Gaps that are open would have been given up in a moment.
        window.giveUpGaps(deliver)
        other.window.takeOver(window)
        swap(&window, &other.window)
        swap(&recovered, &other.recovered)
        swap(&repair, &other.repair)
        if !isProtected { lostUnprotected = window.lost }
        isProtected = true
        repairOrigin = .found
        detector = nil
    }

    /// Delivers what waits for packets before it, because the stream does not go on here.
    func flush(deliver: Delivery) { window.flush(deliver) }

    /// To be called after each batch, and when time has passed without a packet.
    func tick(at now: Monotonic, deliver: Delivery) {
        if let offered { take(offered, deliver) }
        if let reinforcement { window.hold = reinforcement.hold }
        repair.tick(at: now) { packet, arrival, isRecovered in
            stored(packet, at: arrival, isRecovered: isRecovered, deliver)
        }
        window.expire(at: now, deliver: deliver)
    }

    /// Takes a packet that the repair stage passed on or recovered.
    private func stored(
        _ packet: UnsafeRawBufferPointer, at arrival: Monotonic, isRecovered: Bool, _ deliver: Delivery
    ) {
        if isRecovered, let tap { tap.take(.recovered, packet, part: FlowPart.media.rawValue, at: arrival) }
        guard let header = try? RTPHeader(packet) else {  // wrong repair data can recover anything
            counted.malformedDatagrams += 1
            return
        }
        push(packet, header, at: arrival, isRecovered: isRecovered, deliver)
    }

    private func push(
        _ packet: UnsafeRawBufferPointer, _ header: RTPHeader, at arrival: Monotonic, isRecovered: Bool,
        _ deliver: Delivery
    ) {
        let kept = content == .payload ? UnsafeRawBufferPointer(rebasing: packet[header.payload]) : packet
        let verdict = window.push(kept, sequence: header.sequence, at: arrival, deliver: deliver)
        if verdict == .restart { jitter.restart() }
        if !isRecovered, verdict != .duplicate, verdict != .suspect {
            jitter.packetReceived(timestamp: header.timestamp, at: arrival)
        }
        switch verdict {
        case .inOrder, .early:
            note(header.sequence, isRecovered: isRecovered)
            if verdict == .early, !isProtected { counted.reorderedPackets += 1 }
        case .suspect: break
        case .duplicate: if !isProtected { counted.duplicatePackets += 1 }
        // A packet recovered in a window that began before the channel was joined has no place in the sequence.
        case .late: if !isRecovered { counted.latePackets += 1 }
        case .restart: counted.sequenceRestarts += 1
        }
    }

    private func note(_ sequence: UInt16, isRecovered: Bool) {
        if isRecovered {
            counted.recoveredPackets += 1
            recovered.insert(sequence)
        } else if isProtected {
            recovered.remove(sequence)
        }
    }

    /// To be called after each batch, once its kernel drops were reported.
    func accountLosses(at now: Monotonic) {
        losses.account(lost: window.lost, at: now)
    }

    private func holdsStream(_ packet: UnsafeRawBufferPointer, _ header: RTPHeader) -> Bool {
        let payload = UnsafeRawBufferPointer(rebasing: packet[header.payload])
        return TSFramer.holdsPackets(payload) || TSFramer.holdsCutPackets(payload)
    }

    /// Whether no sender has been heard for so long that another may take its place.
    private func isSilent(at instant: Monotonic) -> Bool {
        sender.map { instant - $0.lastHeard >= Self.senderSilence } ?? true
    }

    /// Accepts the first sender until it falls silent; then any sender takes its place.
    private func accepts(
        _ ssrc: UInt32, at arrival: Monotonic, senderChanged: () -> Void, deliver: Delivery
    ) -> Bool {
        if let current = sender, current.ssrc != ssrc {
            guard isSilent(at: arrival) else { return false }
            counted.ssrcChanges += 1
            window.flush(deliver)
            jitter.restart()
            repair.senderChanged()
            firstPath.restart()
            secondPath.restart()
            senderChanged()
        }
        sender = (ssrc, arrival)
        return true
    }
}
