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
                if var packet = films[film].packet(next, startingAt: clock, &counters) {
                    if conditions.hasTables || !LoopedFilm.isTable(packet) {
                        if conditions.isScrambled, !LoopedFilm.isTable(packet) { packet[3] |= 0x80 }
                        waiting += packet
                    }
                }
                next += 1
                if next == films[film].count { (next, filmBegan) = (0, filmBegan + films[film].span) }
                if waiting.count == 7 * 188 { flush(conditions, time, now) }
            }
            if !waiting.isEmpty { flush(conditions, time, now) }
            let socket = socket
            // What the interface does not take is lost, as on a network.
            impairment.takeDue(at: now) { bytes, _, _ in try? socket.send(bytes) }
        }

        private mutating func flush(_ conditions: Conditions, _ time: Int64, _ now: Monotonic) {
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
    }
}
