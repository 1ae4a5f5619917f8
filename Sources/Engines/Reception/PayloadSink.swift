// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Makes payloads of a data channel's datagrams: accepts one sender, repairs and puts in order. Owned by one thread;
/// allocates nothing.
final class PayloadSink: DatagramSink {
    private let flow: RTPFlow
    private let queue: PayloadQueue
    private var datagrams = FlowPart.allCases.map { _ in DatagramCounter() }

    /// - Parameter bandwidthKbps: nominal bandwidth; 0 when it is not known.
    init(_ transport: Transport, payloadType: UInt8, bandwidthKbps: Int, into queue: PayloadQueue) {
        flow = RTPFlow(
            payloadType: payloadType, delivering: .payload,
            protection: FlowProtection(transport, bandwidthKbps: bandwidthKbps))
        self.queue = queue
    }

    var counters: ReceptionCounters {
        var result = ReceptionCounters()
        for part in datagrams { result.add(part.counters) }
        result.add(flow.counters)
        return result
    }

    /// Always empty: only transport streams have quality.
    var quality: StreamQuality { StreamQuality() }

    func follow(program: ProgramChoice?) {}

    func datagramReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int, at arrival: Monotonic) {
        let part = FlowPart(rawValue: medium) ?? .media
        datagrams[part.rawValue].received(octets: bytes.count)
        flow.packetReceived(bytes, of: part, at: arrival) {
        } deliver: { payload, arrival, _ in
            store(payload, at: arrival)
        }
    }

    func controlReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int) {}

    func truncatedDatagramReceived(of medium: Int) {
        datagrams[(FlowPart(rawValue: medium) ?? .media).rawValue].truncatedReceived()
    }

    func kernelDropsReported(total: UInt32, of medium: Int) {
        let part = FlowPart(rawValue: medium) ?? .media
        let news = datagrams[part.rawValue].dropsReported(total: total)
        if part.isMedia { flow.kernelDropped(news) }
    }

    func tick(at now: Monotonic) {
        flow.tick(at: now) { payload, arrival, _ in store(payload, at: arrival) }
        flow.accountLosses(at: now)
        queue.batchEnded()
    }

    private func store(_ payload: UnsafeRawBufferPointer, at arrival: Monotonic) {
        // Payloads that are flushed when the sender changes still carry the SSRC of the old sender.
        queue.store(payload, of: flow.ssrc ?? 0, at: arrival)
    }
}
