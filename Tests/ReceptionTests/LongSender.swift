// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import RTP
import TestSupport
import Time
import TransportStream

/// A sender of 25 pictures a second, about 3 Mbit/s, and what comes of it, as an input log.
struct LongSender {
    private static let payload = 7 * 188
    /// Ticks of 90 kHz at the beginning: they wrap after half an hour.
    private static let firstTicks: Int64 = (1 << 33) - 1_800 * 90_000
    private static let tick = Nanoseconds.milliseconds(10)
    private static let picture = [UInt8](repeating: 0x55, count: 60_000)
    private static let sound = [UInt8](repeating: 0x11, count: 160)

    private let start: Monotonic
    private let driftPPM: Int64
    private var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "test", name: "test"))
    private var random = SplitMix64(seed: Effort.seed)
    private var stream = WireWriter()
    private var packet = WireWriter()
    private var sequence: UInt16 = 60_000
    /// How much time the sender has sent.
    private var sent = Nanoseconds.zero
    private var newest: Monotonic
    private var burst = 0
    private var isKernels = false
    /// Datagrams that did not come; those at the end are not counted until others come.
    private(set) var lost: Int64 = 0
    /// Of these what the kernel dropped.
    private(set) var lostToKernel: Int64 = 0

    init(startingAt start: Monotonic, driftPPM: Int64) {
        (self.start, self.driftPPM, newest) = (start, driftPPM, start)
    }

    /// The offset of the stream's time stamps now, as `StreamCorrelation` has it, on a network that delays nothing.
    var offset: Nanoseconds {
        let stamps = TickRate(90_000).nanoseconds(Self.firstTicks) + sent
        return arrival(of: sent) - Monotonic(nanoseconds: 0) - stamps
    }

    private func arrival(of sent: Nanoseconds) -> Monotonic {
        start + sent + Nanoseconds(sent.count / 1_000_000 * driftPPM)
    }

    /// What comes within a second. Nothing is lost in the last tenth of it.
    mutating func writeSecond(_ second: Int64, to log: inout WireWriter) {
        for step in 0..<100 as Range<Int64> {
            let number = second * 100 + step
            sent = Self.tick * number
            stream.removeAll()
            let ticks = Self.firstTicks + number * 900
            if number % 4 == 0 {
                let isPoint = number % 100 == 0
                let octets = isPoint ? 45_000 : Int.random(in: 6_000...20_000, using: &random)
                let unit = [0, 0, 0, 1, isPoint ? 0x65 : 0x41] + Self.picture[..<octets]
                unit.withUnsafeBytes {
                    multiplexer.writeVideo(
                        $0, pts: ticks + 10_800, dts: ticks + 7_200, isRandomAccess: isPoint, clock: ticks * 300,
                        to: &stream)
                }
            } else {
                Self.sound.withUnsafeBytes {
                    multiplexer.writeAudio($0, pts: ticks + 7_200, clock: ticks * 300, to: &stream)
                }
            }
            multiplexer.writeDue(clock: ticks * 300, to: &stream)
            writeDatagrams(mayLose: step < 90, ticks, to: &log)
        }
    }

    private mutating func writeDatagrams(mayLose: Bool, _ ticks: Int64, to log: inout WireWriter) {
        let octets = stream.bytes
        for place in stride(from: 0, to: octets.count, by: Self.payload) {
            packet.removeAll()
            RTPHeader.write(
                payloadType: 33, sequence: sequence, timestamp: UInt32(truncatingIfNeeded: ticks), ssrc: 7, to: &packet)
            packet.write(contentsOf: octets[place..<min(place + Self.payload, octets.count)])
            sequence &+= 1
            newest = max(newest, arrival(of: sent) + Nanoseconds(.random(in: 0...3_000_000, using: &random)))
            guard !isLost(mayLose) else { continue }
            packet.bytes.withUnsafeBytes {
                InputLog.write(.datagram, at: newest, address: "10.0.0.1", port: 5_004, payload: $0, to: &log)
            }
        }
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: lostToKernel).bigEndian) {
            InputLog.write(.kernelDrops, at: newest, payload: $0, to: &log)
        }
        [].withUnsafeBytes { InputLog.write(.tick, at: newest, payload: $0, to: &log) }
    }

    /// One datagram of ten thousand begins a burst; a tenth of the bursts are the kernel's.
    private mutating func isLost(_ mayLose: Bool) -> Bool {
        guard mayLose else {
            burst = 0
            return false
        }
        if burst == 0, Int.random(in: 0..<10_000, using: &random) == 0 {
            burst = Int.random(in: 1...20, using: &random)
            isKernels = random.percent(10)
        }
        guard burst > 0 else { return false }
        burst -= 1
        lost += 1
        if isKernels { lostToKernel += 1 }
        return true
    }
}
