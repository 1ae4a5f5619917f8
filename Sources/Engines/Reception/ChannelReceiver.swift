// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Network
import System
import Time
import Venue

/// A joined channel: the socket, its receive thread and the history that it fills. One per tuned channel.
public final class ChannelReceiver: Sendable {
    public let history: HistoryBuffer
    /// Signalled after each batch that brought something.
    public let arrived = Wakeup()
    public let counters = LatestValue(ReceptionCounters())
    public let joined: Monotonic
    private let socket: DatagramSocket
    private let chosenProgram: LatestValue<UInt16?>
    private let stopping = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Octets of the largest datagram kept: a jumbo frame's.
    private static let largestDatagram = 9_216
    private static let batch = 32
    /// A sender writes the packets of a picture one right behind the other: they are taken together. What the kernel
    /// stamps is not moved by it.
    private static let rest = Nanoseconds.milliseconds(1)

    /// Joins and starts to receive.
    /// - Parameters:
    ///   - interface: name; empty: by the route.
    ///   - program: its number; nil for the first.
    public init(
        _ transport: Transport, interface: String, program: UInt16? = nil, history: HistoryBuffer
    ) throws(SystemCallError) {
        self.history = history
        chosenProgram = LatestValue(program)
        socket = try DatagramSocket(
            listeningTo: transport.address, port: transport.port, source: transport.source, interface: interface,
            timeout: .milliseconds(20))
        joined = SystemClock.monotonic()
        let encapsulation = transport.encapsulation
        thread.set(try DedicatedThread("receive") { [self] in receive(encapsulation) })
    }

    /// Leaves the group and ends the thread.
    public func stop() {
        stopping.raise()
        thread.value?.join()
        thread.set(nil)
    }

    /// Follows another program from the next datagrams on: its random-access points and its clock. What the history
    /// already holds keeps the flags and offsets that it was stored with. Any thread.
    /// - Parameter program: its number; nil for the first.
    public func follow(program: UInt16?) { chosenProgram.set(program) }

    private func receive(_ encapsulation: Transport.Encapsulation) {
        var batch = DatagramBatch(slots: Self.batch, octets: Self.largestDatagram)
        let flow = FlowReceiver(encapsulation, program: chosenProgram.value, into: history)
        while !stopping.isRaised {
            // A socket that fails for good (its interface went) is silent; the silence watchdog acts on that.
            let count = (try? batch.receive(from: socket)) ?? 0
            flow.follow(program: chosenProgram.value)
            for index in 0..<count {
                guard !batch.isTruncated(index) else {
                    flow.truncatedDatagramReceived()
                    continue
                }
                let arrival = batch.arrival(index)
                batch.withBytes(index) { flow.datagramReceived($0, at: arrival) }
            }
            if count > 0 { flow.kernelDropsReported(total: batch.kernelDrops) }
            flow.tick(at: SystemClock.monotonic())
            counters.set(flow.counters)
            guard count > 0 else { continue }
            arrived.signal()
            if count < Self.batch { SystemClock.sleep(until: SystemClock.monotonic() + Self.rest) }
        }
    }
}
