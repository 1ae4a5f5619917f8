// SPDX-License-Identifier: Apache-2.0
import Buffers
import Casting
import Network
import System
import Time
import Venue

/// A channel that is being sent: one thread makes its datagrams a little ahead of time, another sends each when it is
/// due.
final class ChannelRun: @unchecked Sendable {
    // Sendable: only the making thread uses `flows`, only the sending thread uses `sockets`, and only the owner uses
    // `threads`; everything else is Sendable itself.
    let name: String
    /// Messages to be sent on a data channel. Any thread.
    let messages = Mailbox<OutgoingMessage>()
    /// Whether this is a data channel without messages of its own.
    let takesMessages: Bool
    let counters = CastCounters()
    /// Why the channel ended by itself; nil while it runs.
    let failure = LatestValue<String?>(nil)
    /// The last time that datagrams were not sent.
    struct Interruption: Sendable {
        /// Number of interruptions until now. One may be over before anybody looks.
        var count = 0
        var reason = ""
        var isOver = true
    }

    let interruption = LatestValue(Interruption())

    private struct Departure: BitwiseCopyable {
        var due: Nanoseconds
        var flow: CastFlow
    }

    private let flows: ChannelFlows
    private let sockets: [CastSocket]
    private let start: Monotonic
    private let ahead: Nanoseconds
    private let ring = RecordRing<Departure>(capacity: 8 << 20, largestRecord: 2_048)
    private let made = Wakeup()
    private let pause = Wakeup()
    private let stopping = StopFlag()
    private var threads: [DedicatedThread] = []

    /// How far ahead datagrams are made, so that the encoder's jitter does not reach the network. Messages have less,
    /// because they should arrive soon.
    private static let picturesAhead = Nanoseconds.milliseconds(200)
    private static let messagesAhead = Nanoseconds.milliseconds(20)

    init(
        _ channel: HeadEndConfiguration.CastChannel, interface: String, hops: UInt8, start: Monotonic
    ) throws {
        var random = SystemRandomNumberGenerator()
        name = channel.announcement.name
        if case .data(let data) = channel.content {
            takesMessages = data.schedule.messages.isEmpty
            ahead = Self.messagesAhead
        } else {
            takesMessages = false
            ahead = Self.picturesAhead
        }
        let messages = messages
        flows = try ChannelFlows(
            channel, identity: .init(ssrc: random.next(), sequence: random.next(), timestamp: random.next()),
            incoming: { messages.takeAll() })
        sockets = try channel.targets.map { try CastSocket($0, interface: interface, hops: hops) }
        self.start = start
        threads = [
            try DedicatedThread("cast") { [self] in make() }
        ]
        do {
            threads.append(try DedicatedThread("send") { [self] in send() })
        } catch {
            stop()
            throw error
        }
    }

    func stop() {
        stopping.raise()
        made.signal()
        pause.signal()
        for thread in threads { thread.join() }
        threads = []
    }

    private func make() {
        while !stopping.isRaised {
            let begin = start + flows.nextSlotStart
            let now = SystemClock.monotonic()
            if begin - ahead > now {
                pause.wait(until: begin - ahead)
                continue
            }
            if begin < now { counters.late.add() }
            do {
                try flows.nextSlot(clock: Self.clock(at: begin, now: now)) { bytes, flow, due in
                    if !ring.offer(Departure(due: due, flow: flow), bytes) { counters.refused.add() }
                }
            } catch {
                failure.set("\(error)")
                return
            }
            made.signal()
        }
    }

    private func send() {
        while !stopping.isRaised {
            let isTaken = ring.take { departure, bytes in
                let instant = start + departure.due
                while !stopping.isRaised, SystemClock.monotonic() < instant { made.wait(until: instant) }
                for socket in sockets where socket.flow == departure.flow { send(bytes, by: socket) }
            }
            if !isTaken { made.wait(until: SystemClock.monotonic() + ahead) }
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, by socket: CastSocket) {
        let before = socket.problem
        defer { note(before, socket.problem) }
        do {
            try socket.send(bytes)
            counters.sent.add()
            if socket.flow.isRepair { counters.repairSent.add() }
            counters.sentOctets.add(Int64(bytes.count))
        } catch {
            counters.refused.add()  // the interface is down; it may come back
        }
    }

    /// Notes that datagrams are no longer sent, or are sent again.
    private func note(_ before: SystemCallError?, _ problem: SystemCallError?) {
        guard (before == nil) != (problem == nil) else { return }
        var interruption = interruption.value
        if let problem {
            interruption.count += 1
            interruption.reason = "\(problem)"
        }
        interruption.isOver = sockets.allSatisfy { $0.problem == nil }
        self.interruption.set(interruption)
    }

    /// The time of day, UTC, at an instant: `01:02:03.456`.
    private static func clock(at instant: Monotonic, now: Monotonic) -> String {
        let wall = WallTime(nanoseconds: SystemClock.wall().nanoseconds + (instant - now).count)
        return String(wall.description.dropFirst(11).dropLast(1))
    }
}
