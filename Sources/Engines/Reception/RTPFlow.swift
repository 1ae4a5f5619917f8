// SPDX-License-Identifier: Apache-2.0
import Bytes
import RTP
import Time

/// The packets of one RTP session: of one payload type, from one sender, in order. Owned by one thread; all memory is
/// taken in `init`.
final class RTPFlow {
    /// What is delivered of a packet.
    enum Content { case payload, wholePacket }

    /// Bytes that are valid during the call, their arrival, and whether something is missing in front of them.
    typealias Delivery = (UnsafeRawBufferPointer, Monotonic, _ afterLoss: Bool) -> Void

    /// How long an early packet waits for the ones before it. Above the reordering of switches and access points,
    /// below anything that a viewer sees.
    private static let reorderHold = Nanoseconds.milliseconds(25)
    /// A second sender takes over when the first has been silent for this long.
    private static let senderSilence = Nanoseconds.milliseconds(400)

    /// Of datagrams and their order alone.
    private(set) var counters = ReceptionCounters()
    private let payloadType: UInt8
    private let content: Content
    private var window = ReorderWindow(hold: reorderHold)
    private(set) var jitter: ArrivalJitter
    private var losses = LossAttribution()
    private var sender: (ssrc: UInt32, lastHeard: Monotonic)?

    /// - Parameter clockRate: of the time stamps, Hz.
    init(payloadType: UInt8, delivering content: Content, clockRate: Int = 90_000) {
        self.payloadType = payloadType
        jitter = ArrivalJitter(clockRate: clockRate)
        self.content = content
    }

    /// Of the sender that is heard; nil before the first packet.
    var ssrc: UInt32? { sender?.ssrc }
    /// Something came that waits for what is missing in front of it.
    var isHolding: Bool { window.isHolding }
    /// Packets delivered.
    var passed: Int64 { window.passed }

    /// The greatest jitter since this was asked last.
    func takePeakJitter() -> Nanoseconds { jitter.takePeak() }

    /// - Parameter count: datagrams that the kernel dropped since the report before.
    func kernelDropped(_ count: Int64) { losses.kernelDropped(count) }

    /// - Parameter senderChanged: called between the last packet of one sender and the first of another.
    func packetReceived(
        _ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, senderChanged: () -> Void, deliver: Delivery
    ) {
        let header: RTPHeader
        do throws(WireError) {
            header = try RTPHeader(bytes)
        } catch {
            counters.malformedDatagrams += 1
            return
        }
        guard header.payloadType == payloadType else {
            counters.wrongPayloadType += 1
            return
        }
        guard accepts(header.ssrc, at: arrival, senderChanged: senderChanged, deliver: deliver) else {
            counters.foreignSSRC += 1
            return
        }
        tick(at: arrival, deliver: deliver)
        let kept = content == .payload ? UnsafeRawBufferPointer(rebasing: bytes[header.payload]) : bytes
        let verdict = window.push(kept, sequence: header.sequence, at: arrival, deliver: deliver)
        if verdict == .restart { jitter.restart() }
        if verdict != .duplicate, verdict != .suspect {
            jitter.packetReceived(timestamp: header.timestamp, at: arrival)
        }
        switch verdict {
        case .inOrder, .suspect: break
        case .early: counters.reorderedPackets += 1
        case .duplicate: counters.duplicatePackets += 1
        case .late: counters.latePackets += 1
        case .restart: counters.sequenceRestarts += 1
        }
        counters.lostPackets = window.lost
    }

    /// Time passed without a packet, or a batch ended.
    func tick(at now: Monotonic, deliver: Delivery) {
        window.expire(at: now, deliver: deliver)
        counters.lostPackets = window.lost
    }

    /// A batch was taken, and what the kernel dropped of it was told.
    func accountLosses(at now: Monotonic) {
        losses.account(lost: window.lost, at: now)
        counters.lostToKernel = losses.lostToKernel
        counters.lostToNetwork = losses.lostToNetwork
    }

    /// The first sender is heard until it falls silent; then whoever sends takes its place.
    private func accepts(
        _ ssrc: UInt32, at arrival: Monotonic, senderChanged: () -> Void, deliver: Delivery
    ) -> Bool {
        if let current = sender, current.ssrc != ssrc {
            guard arrival - current.lastHeard >= Self.senderSilence else { return false }
            counters.ssrcChanges += 1
            window.flush(deliver)
            jitter.restart()
            senderChanged()
        }
        sender = (ssrc, arrival)
        return true
    }
}
