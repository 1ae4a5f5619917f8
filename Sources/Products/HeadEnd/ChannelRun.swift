// SPDX-License-Identifier: Apache-2.0
import Buffers
import Casting
import Network
import System
import Time
import Venue

/// A channel on the air: one thread makes its datagrams a little ahead of time, another sends each when it is due.
final class ChannelRun: @unchecked Sendable {
    // Sendable: `caster` is touched by the making thread alone, `socket` by the sending one; the rest is Sendable itself,
    // and `threads` is the owner's.
    let name: String
    /// Datagrams sent, octets of theirs, and datagrams that the kernel refused.
    let sent = Counter()
    let sentOctets = Counter()
    let refused = Counter()
    /// Slots that were made after their time.
    let late = Counter()
    /// Set once, when the channel cannot go on.
    let failure = LatestValue<String?>(nil)

    private let caster: ChannelCaster
    private let socket: DatagramSocket
    private let start: Monotonic
    private let ring = RecordRing<Nanoseconds>(capacity: 8 << 20, largestRecord: 2_048)
    private let made = Wakeup()
    private let pause = Wakeup()
    private let stopping = StopFlag()
    private var threads: [DedicatedThread] = []

    /// How far ahead datagrams are made: the jitter of the encoder stays out of the network.
    private static let ahead = Nanoseconds.milliseconds(200)

    init(
        _ channel: HeadEndConfiguration.CastChannel, interface: String, hops: UInt8, start: Monotonic
    ) throws {
        var random = SystemRandomNumberGenerator()
        let transport = channel.announcement.transport
        name = channel.announcement.name
        caster = try ChannelCaster(
            channel, identity: .init(ssrc: random.next(), sequence: random.next(), timestamp: random.next()))
        socket = try DatagramSocket(
            sendingTo: transport.address, port: transport.port, interface: interface, hops: Int(hops))
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
            let begin = start + caster.nextSlotStart
            let now = SystemClock.monotonic()
            if begin - Self.ahead > now {
                pause.wait(until: begin - Self.ahead)
                continue
            }
            if begin < now { late.add() }
            do {
                try caster.nextSlot(clock: Self.clock(at: begin, now: now)) { bytes, due in
                    if !ring.offer(due, bytes) { refused.add() }
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
            let isTaken = ring.take { due, bytes in
                let instant = start + due
                while !stopping.isRaised, SystemClock.monotonic() < instant { made.wait(until: instant) }
                do {
                    try socket.send(bytes)
                    sent.add()
                    sentOctets.add(Int64(bytes.count))
                } catch {
                    refused.add()  // the interface went; it may come back
                }
            }
            if !isTaken { made.wait(until: SystemClock.monotonic() + Self.ahead) }
        }
    }

    /// Civil time, UTC, of an instant: `01:02:03.456`.
    private static func clock(at instant: Monotonic, now: Monotonic) -> String {
        let wall = WallTime(nanoseconds: SystemClock.wall().nanoseconds + (instant - now).count)
        return String(wall.description.dropFirst(11).dropLast(1))
    }
}
