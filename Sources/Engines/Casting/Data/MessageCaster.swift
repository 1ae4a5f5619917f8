// SPDX-License-Identifier: Apache-2.0
import Bytes
import DataMessages
import RTP
import Time
import Venue

/// Makes a data channel's datagrams: scheduled and incoming messages are cut into RTP packets, which follow each other
/// at an even rate. Opens no socket and reads no clock.
/// - Thread: the one that owns it.
final class MessageCaster: DatagramSource {
    private let settings: HeadEndConfiguration.Data
    private let payloadType: UInt8
    private let incoming: () -> [OutgoingMessage]
    private var identity: ChannelCaster.Identity
    private var writer = MessageWriter()
    private var slot: Int64 = 0
    private var turn = 0
    private var waiting: [OutgoingMessage] = []
    /// Remaining payloads of the message that is being sent, and its RTP time stamp.
    private var payloads: ArraySlice<[UInt8]> = []
    private var timestamp: UInt32 = 0
    /// When the next packet may be sent, by the channel's bit rate.
    private var free = Nanoseconds.zero
    private var datagram = WireWriter(reserving: 1_500)

    private static let slotLength = Nanoseconds.milliseconds(20)
    /// Messages that wait at most; further ones are dropped.
    static let mostWaiting = 1_024
    /// Messages that were dropped because too many waited or they could not be encoded.
    private(set) var refused = 0

    init(
        _ settings: HeadEndConfiguration.Data, transport: Transport, identity: ChannelCaster.Identity,
        incoming: @escaping () -> [OutgoingMessage]
    ) {
        self.settings = settings
        self.identity = identity
        self.incoming = incoming
        if case .rtp(let payloadType) = transport.encapsulation {
            self.payloadType = payloadType
        } else {
            preconditionFailure("data is sent in RTP")
        }
    }

    var nextSlotStart: Nanoseconds { Self.slotLength * slot }

    func nextSlot(clock: String, _ body: (UnsafeRawBufferPointer, Nanoseconds) -> Void) {
        let (start, end) = (nextSlotStart, nextSlotStart + Self.slotLength)
        slot += 1
        for message in incoming() { enqueue(message) }
        while settings.schedule.interval * Int64(turn) < end {
            guard let message = settings.schedule.message(turn, clock: clock) else { break }
            enqueue(message)
            turn += 1
        }
        free = max(free, start)
        while free < end, prepare(at: free), let payload = payloads.popFirst() {
            let due = free
            send(payload, isLast: payloads.isEmpty) { body($0, due) }
            free = due + Nanoseconds(Int64(datagram.count) * 8 * 1_000_000 / Int64(settings.kilobitsPerSecond))
        }
    }

    private func enqueue(_ message: OutgoingMessage) {
        guard waiting.count < Self.mostWaiting else {
            refused += 1
            return
        }
        waiting.append(message)
    }

    /// - Returns: whether there is a packet to send.
    private func prepare(at time: Nanoseconds) -> Bool {
        while payloads.isEmpty, !waiting.isEmpty {
            let message = waiting.removeFirst()
            let type = message.contentType.isEmpty ? settings.contentType : message.contentType
            do {
                payloads = try writer.payloads(of: message.octets, contentType: type)[...]
                timestamp = identity.timestamp &+ UInt32(truncatingIfNeeded: time.count / 1_000 * 9 / 100)
            } catch {
                refused += 1
            }
        }
        return !payloads.isEmpty
    }

    private func send(_ payload: [UInt8], isLast: Bool, _ body: (UnsafeRawBufferPointer) -> Void) {
        datagram.removeAll()
        RTPHeader.write(
            payloadType: payloadType, hasMarker: isLast, sequence: identity.sequence, timestamp: timestamp,
            ssrc: identity.ssrc, to: &datagram)
        identity.sequence &+= 1
        datagram.write(contentsOf: payload)
        datagram.bytes.withUnsafeBytes(body)
    }
}
