// SPDX-License-Identifier: Apache-2.0
import Buffers
import Bytes
import Casting
import Network
import RTP
import System
import TestSupport
import Time

/// Sends films by RTP to a group on the loopback interface, in time, with what a test wants to be wrong.
final class FaultySender {
    /// What is sent, and how.
    struct Conditions: Sendable {
        /// Index of the film that is sent.
        var film = 0
        var isSilent = false
        var source: UInt32 = 1
        /// Seconds by which clock references and time stamps are ahead of those that run on.
        var ahead: Int64 = 0
        var isScrambled = false
        var hasTables = true
        /// Whether datagrams have no RTP, and of how many octets they are if their ends cut packets.
        var isBare = false
        var cutLength: Int?
        var habits: MultiplexerHabits = []
        var network = ImpairmentConditions()
        /// Of the network's random numbers.
        var seed: UInt64 = 1
    }

    static let group = "239.255.77.31"
    private static let period = Nanoseconds.milliseconds(10)
    /// PCR and PTS begin shortly before they wrap.
    private static let firstClock: Int64 = ((1 << 33) - 20 * 90_000) * 300

    private let conditions = LatestValue(Conditions())
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    init(port: UInt16, _ films: [LoopedFilm]) throws {
        let (conditions, stopping) = (conditions, stopping)
        thread = try DedicatedThread("sender") {
            // Without it no picture comes, and the test fails.
            guard let socket = try? SendingSocket(to: Self.group, port: port, interface: "lo") else { return }
            var run = Run(films, socket)
            let start = SystemClock.monotonic()
            var number: Int64 = 0
            while !stopping.isRaised {
                run.send(conditions.value, at: SystemClock.monotonic())
                number += 1
                SystemClock.sleep(until: start + Self.period * number)
            }
        }
    }

    func change(_ body: (inout Conditions) -> Void) {
        var new = conditions.value
        body(&new)
        conditions.set(new)
    }

    func stop() {
        stopping.raise()
        thread.join()
    }

    /// The state of the thread.
    private struct Run {
        private let films: [LoopedFilm]
        private let socket: SendingSocket
        private let began = SystemClock.monotonic()
        private var film = 0
        private var next = 0
        /// When the film began that is sent, in ticks since `began`.
        private var filmBegan: Int64 = 0
        private var counters: [Int: UInt8] = [:]
        private var sequence: UInt16 = 65_000
        private var source: UInt32 = 1
        private var waiting: [UInt8] = []
        /// Sound that is sent later: when, in ticks since `began`.
        private var held: [(due: Int64, packet: [UInt8])] = []
        private static let later = LoopedFilm.rate * 3 / 2
        private var impairment = Impairment(ImpairmentConditions(), seed: 1)
        private var network = ImpairmentConditions()

        init(_ films: [LoopedFilm], _ socket: SendingSocket) {
            self.films = films
            self.socket = socket
        }

        mutating func send(_ conditions: Conditions, at now: Monotonic) {
            let time = (now - began).count / 1_000 * 27
            if conditions.film != film { (film, next, filmBegan) = (conditions.film, 0, time) }
            if conditions.source != source { (source, sequence) = (conditions.source, sequence &+ 30_000) }
            if conditions.network != network {
                network = conditions.network
                impairment = Impairment(network, seed: conditions.seed)
            }
            while filmBegan + films[film].due(next) <= time {
                let clock = FaultySender.firstClock + filmBegan + conditions.ahead * LoopedFilm.rate
                if conditions.habits.contains(.raisesCounters), next % 8 == 0 {
                    put(MultiplexerHabits.packetWithoutPayload(&counters), conditions, time, now)
                }
                if let packet = films[film].packet(next, startingAt: clock, &counters) {
                    put(packet, conditions, time, now)
                }
                next += 1
                if next == films[film].count { (next, filmBegan) = (0, filmBegan + films[film].span) }
            }
            // Another multiplexer takes over, and sends sound in time from now on.
            if !conditions.habits.contains(.sendsSoundLater) { held = [] }
            while let first = held.first, first.due <= time {
                held.removeFirst()
                append(first.packet, conditions, time, now)
            }
            if !waiting.isEmpty { flush(conditions, time, now) }
            let socket = socket
            // What the interface does not take is lost, as on a network.
            impairment.takeDue(at: now) { bytes, _, _ in try? socket.send(bytes) }
        }

        private mutating func put(_ packet: [UInt8], _ conditions: Conditions, _ time: Int64, _ now: Monotonic) {
            var packet = packet
            let isTable = LoopedFilm.isTable(packet)
            guard conditions.hasTables || !isTable, conditions.habits.apply(to: &packet) else { return }
            if conditions.isScrambled, !isTable { packet[3] |= 0x80 }
            if conditions.habits.contains(.sendsSoundLater), LoopedFilm.pid(packet) == LoopedFilm.sound {
                held.append((time + Self.later, packet))
            } else {
                append(packet, conditions, time, now)
            }
        }

        private mutating func append(_ packet: [UInt8], _ conditions: Conditions, _ time: Int64, _ now: Monotonic) {
            waiting += packet
            if waiting.count >= 7 * 188 { flush(conditions, time, now) }
        }

        private mutating func flush(_ conditions: Conditions, _ time: Int64, _ now: Monotonic) {
            guard !conditions.isBare else { return flushBare(conditions, now) }
            var out = WireWriter()
            RTPHeader.write(
                payloadType: 33, sequence: sequence, timestamp: UInt32(truncatingIfNeeded: time / 300), ssrc: source,
                to: &out)
            out.write(contentsOf: waiting)
            waiting.removeAll(keepingCapacity: true)
            sequence &+= 1
            guard !conditions.isSilent else { return }
            out.bytes.withUnsafeBytes { impairment.received($0, flow: 0, at: now) }
        }

        /// What does not fill a datagram waits for more, if datagrams have a length.
        private mutating func flushBare(_ conditions: Conditions, _ now: Monotonic) {
            let length = conditions.cutLength ?? waiting.count
            while !waiting.isEmpty, waiting.count >= length {
                let datagram = Array(waiting.prefix(length))
                waiting.removeFirst(length)
                guard !conditions.isSilent else { continue }
                datagram.withUnsafeBytes { impairment.received($0, flow: 0, at: now) }
            }
        }
    }
}
