// SPDX-License-Identifier: Apache-2.0
import Bytes
import ErasureCoding
import Media
import RTP
import Reception
import TestSupport
import Time
import TransportStream
import Venue

/// A made channel of 20 Mbit/s, pictures and sound, through losses into a receiver. Datagrams are made some pictures ahead,
/// so memory is bounded and what is measured runs for as long as one likes.
final class ReceptionScene {
    private struct Datagram {
        var place: Range<Int>
        var part: FlowPart
        var arrival: Monotonic
    }

    private static let pictureOctets = 98_000
    private static let pictureDistance = Nanoseconds.milliseconds(40)
    /// Made ahead.
    private static let pictures = 10
    /// Datagrams between the visits of time, as of a receive thread that looks at its socket each 20 ms.
    private static let batch = 38
    private static let payload = 7 * TSPacket.size

    private let receiver: FlowReceiver
    private let windows: WindowEncoder?
    private let parity: ParityEncoder?
    private let loss: (begins: Double, ends: Double)?
    private var isLosing = false
    private var random = SplitMix64(seed: 1)

    private var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "Touchline", name: "Bench"))
    private let picture: [UInt8]
    private let sound = [UInt8]([0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC] + [UInt8](repeating: 0x55, count: 365))
    private var pictureNumber: Int64 = 0
    private var stream = WireWriter()
    private var sequence: UInt16 = 65_000
    /// Of the batch at hand.
    private var bytes: [UInt8] = []
    private var datagrams: [Datagram] = []
    private var next = 0
    private var untilTick = batch

    /// - Parameters:
    ///   - loss: the part of all datagrams that does not come, 0..<1.
    ///   - burst: how many are lost in a row, in the mean (Gilbert).
    init(_ repair: Repair?, loss: Double = 0, burst: Double = 1) {
        var transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        transport.repair = repair
        let history = HistoryBuffer(span: .seconds(3_600), capacity: 32 << 20)
        receiver = FlowReceiver(transport, bandwidthKbps: 20_000, into: history)
        var protector: WindowEncoder?
        var sums: ParityEncoder?
        switch repair {
        case .windows(let windows)?: protector = WindowEncoder(windows)
        case .parity?: sums = ParityEncoder(columns: 10, rows: 10)
        case nil: break
        }
        (windows, parity) = (protector, sums)
        self.loss = loss > 0 ? (loss / (1 - loss) / burst, 1 / burst) : nil
        // An IDR slice of noise in which no start code is.
        picture = [0, 0, 0, 1, 0x65, 0x88] + (0..<Self.pictureOctets).map { UInt8(truncatingIfNeeded: $0 &* 7 | 0x11) }
    }

    /// - Returns: something of all that was done, and the time of the thread that `count` packets of the media took.
    func run(_ count: Int) -> (UInt64, Nanoseconds) {
        var (left, spent) = (count, Nanoseconds.zero)
        var result: UInt64 = 0
        while left > 0 {
            if next == datagrams.count { make() }
            let start = ThreadTime.now
            left = feed(left)
            let counters = receiver.counters
            spent = spent + (ThreadTime.now - start)
            result &+= UInt64(counters.tsPackets)
            // Without its repair more would be missing.
            guard counters.malformedDatagrams == 0, counters.lostPackets * 200 <= counters.datagrams else {
                fatalError("what was made is not received: \(counters)")
            }
        }
        return (result, spent)
    }

    /// - Returns: what is left of the count.
    private func feed(_ count: Int) -> Int {
        var left = count
        bytes.withUnsafeBytes { bytes in
            while left > 0, next < datagrams.count {
                let datagram = datagrams[next]
                next += 1
                if datagram.part == .media { left -= 1 }
                guard !datagram.place.isEmpty else { continue }
                receiver.datagramReceived(
                    UnsafeRawBufferPointer(rebasing: bytes[datagram.place]), of: datagram.part, at: datagram.arrival)
                untilTick -= 1
                if untilTick == 0 {
                    receiver.tick(at: datagram.arrival)
                    untilTick = Self.batch
                }
            }
        }
        return left
    }

    // MARK: Sender

    private func make() {
        bytes.removeAll(keepingCapacity: true)
        datagrams.removeAll(keepingCapacity: true)
        next = 0
        for _ in 0..<Self.pictures { makePicture() }
    }

    private func makePicture() {
        let start = Monotonic(nanoseconds: 1_000_000_000) + Self.pictureDistance * pictureNumber
        let (clock, pts) = (pictureNumber * 1_080_000, pictureNumber * 3_600 + 45_000)
        picture.withUnsafeBytes { unit in
            multiplexer.writeVideo(
                unit, pts: pts, isRandomAccess: pictureNumber % 25 == 0, clock: clock, to: &stream)
        }
        sound.withUnsafeBytes { multiplexer.writeAudio($0, pts: pts, clock: clock, to: &stream) }
        pictureNumber += 1
        let made = stream.bytes
        let count = made.count / Self.payload
        var packet = WireWriter(reserving: 1_500)
        for index in 0..<count {
            let arrival = start + Self.pictureDistance * Int64(index) / Int64(count)
            packet.removeAll()
            RTPHeader.write(
                payloadType: 33, sequence: sequence, timestamp: UInt32(truncatingIfNeeded: clock / 300), ssrc: 7,
                to: &packet)
            packet.write(contentsOf: made[index * Self.payload..<(index + 1) * Self.payload])
            sequence &+= 1
            send(packet.bytes, at: arrival)
        }
        stream.removeAll()
        stream.write(contentsOf: made[(count * Self.payload)...])
    }

    private func send(_ packet: [UInt8], at time: Monotonic) {
        packet.withUnsafeBytes { packet in
            if let windows {
                windows.packetSent(packet, at: time) {
                    add($0, .media, time)
                } repair: {
                    add($0, .repair, time)
                }
            } else {
                add(packet, .media, time)
                parity?.packetSent(packet) { add($0, $1 == .rows ? .rows : .repair, time) }
            }
        }
    }

    /// What is lost stands there as nothing, so that packets are counted as sent.
    private func add(_ datagram: UnsafeRawBufferPointer, _ part: FlowPart, _ time: Monotonic) {
        let start = bytes.count
        if let loss { isLosing = Double.random(in: 0..<1, using: &random) < (isLosing ? 1 - loss.ends : loss.begins) }
        if !isLosing { bytes.append(contentsOf: datagram) }
        datagrams.append(Datagram(place: start..<bytes.count, part: part, arrival: time))
    }
}
