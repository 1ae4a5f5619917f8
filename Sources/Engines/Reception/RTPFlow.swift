// SPDX-License-Identifier: Apache-2.0
import Bytes
import RTP
import Time

/// The packets of one RTP session: of one payload type, from one sender, by one path or two, repaired and in order. Owned
/// by one thread; all memory is taken in `init`.
final class RTPFlow {
    /// What is delivered of a packet.
    enum Content { case payload, wholePacket }

    /// Bytes that are valid during the call, their arrival, and whether something is missing in front of them.
    typealias Delivery = (UnsafeRawBufferPointer, Monotonic, _ afterLoss: Bool) -> Void

    /// How long an early packet waits for the ones before it. Above the reordering of switches and access points,
    /// below anything that a viewer sees.
    static let reorderHold = Nanoseconds.milliseconds(25)
    /// A second sender takes over when the first has been silent for this long.
    private static let senderSilence = Nanoseconds.milliseconds(400)

    private let payloadType: UInt8
    private let content: Content
    private let repair: RepairStage
    private let isProtected: Bool
    private let hasSecondPath: Bool
    private var counted = ReceptionCounters()
    private var window: ReorderWindow
    private var firstPath = PathRecord()
    private var secondPath = PathRecord()
    /// Of those that the window still knows.
    private var recovered: SequenceSet
    private(set) var jitter: ArrivalJitter
    private var losses = LossAttribution()
    private var sender: (ssrc: UInt32, lastHeard: Monotonic)?

    /// - Parameter clockRate: of the time stamps, Hz.
    init(
        payloadType: UInt8, delivering content: Content, clockRate: Int = 90_000, protection: FlowProtection? = nil
    ) {
        self.payloadType = payloadType
        jitter = ArrivalJitter(clockRate: clockRate)
        self.content = content
        isProtected = protection != nil
        hasSecondPath = protection?.skew != nil
        repair = RepairStage(protection)
        recovered = SequenceSet(span: 2 * (protection?.places ?? ReorderWindow.usualPlaces))
        if let protection {
            window = ReorderWindow(hold: protection.hold, places: protection.places, octets: protection.octets)
        } else {
            window = ReorderWindow(hold: Self.reorderHold)
        }
    }

    /// Of the sender that is heard; nil before the first packet.
    var ssrc: UInt32? { sender?.ssrc }
    /// Something came that waits for what is missing in front of it.
    var isHolding: Bool { window.isWaiting }
    /// Packets delivered.
    var passed: Int64 { window.passed }

    /// The greatest jitter since this was asked last.
    func takePeakJitter() -> Nanoseconds { jitter.takePeak() }

    /// - Parameter count: datagrams that the kernel dropped since the report before.
    func kernelDropped(_ count: Int64) { losses.kernelDropped(count) }

    /// Of datagrams, their order and their repair alone.
    var counters: ReceptionCounters {
        var result = counted
        result.lostPackets = window.lost
        result.lostToKernel = losses.lostToKernel
        result.lostToNetwork = losses.lostToNetwork
        guard isProtected else {
            result.lostBeforeRepair = window.lost
            return result
        }
        result.duplicatePackets = firstPath.duplicates + secondPath.duplicates
        result.reorderedPackets = firstPath.reordered + secondPath.reordered
        result.lostBeforeRepair = firstPath.lost
        if hasSecondPath {
            result.lostByFirstPath = firstPath.lost
            result.lostBySecondPath = secondPath.lost
        }
        repair.count(in: &result)
        return result
    }

    /// - Parameters:
    ///   - part: whose port it came to.
    ///   - senderChanged: called between the last packet of one sender and the first of another.
    func packetReceived(
        _ bytes: UnsafeRawBufferPointer, of part: FlowPart = .media, at arrival: Monotonic, senderChanged: () -> Void,
        deliver: Delivery
    ) {
        guard part.isMedia else { return repairReceived(bytes, of: part, at: arrival, deliver: deliver) }
        let header: RTPHeader
        do throws(WireError) {
            let packet = UnsafeRawBufferPointer(rebasing: bytes.dropLast(repair.trailingOctets))
            header = try RTPHeader(packet)
        } catch {
            counted.malformedDatagrams += 1
            return
        }
        guard header.payloadType == payloadType else {
            counted.wrongPayloadType += 1
            return
        }
        guard accepts(header.ssrc, at: arrival, senderChanged: senderChanged, deliver: deliver) else {
            counted.foreignSSRC += 1
            return
        }
        guard isProtected else {
            window.expire(at: arrival, deliver: deliver)
            return push(bytes, header, at: arrival, isRecovered: false, deliver)
        }
        // What may fill its gaps waits at other sockets, which are read until the next tick.
        // The repair stage need not let it through once it was made again.
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
        counted.repairDatagrams += 1
        repair.repairReceived(bytes, of: part, at: arrival) { packet, arrival, isRecovered in
            stored(packet, at: arrival, isRecovered: isRecovered, deliver)
        }
    }

    /// Time passed without a packet, or a batch ended.
    func tick(at now: Monotonic, deliver: Delivery) {
        repair.tick(at: now) { packet, arrival, isRecovered in
            stored(packet, at: arrival, isRecovered: isRecovered, deliver)
        }
        window.expire(at: now, deliver: deliver)
    }

    /// What the repair stage lets through or makes again.
    private func stored(
        _ packet: UnsafeRawBufferPointer, at arrival: Monotonic, isRecovered: Bool, _ deliver: Delivery
    ) {
        guard let header = try? RTPHeader(packet) else {  // what was made again of repair that lies may be anything
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
        // What is made again of a window that began before we listened has no place to come to.
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

    /// A batch was taken, and what the kernel dropped of it was told.
    func accountLosses(at now: Monotonic) {
        losses.account(lost: window.lost, at: now)
    }

    /// The first sender is heard until it falls silent; then whoever sends takes its place.
    private func accepts(
        _ ssrc: UInt32, at arrival: Monotonic, senderChanged: () -> Void, deliver: Delivery
    ) -> Bool {
        if let current = sender, current.ssrc != ssrc {
            guard arrival - current.lastHeard >= Self.senderSilence else { return false }
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
