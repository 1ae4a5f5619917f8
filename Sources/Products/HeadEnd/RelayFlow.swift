// SPDX-License-Identifier: Apache-2.0
import Buffers
import Casting
import Network
import System
import Time

/// The sockets of one relayed flow. Owned by the relaying thread.
final class RelayFlow {
    private let listening: DatagramSocket
    private let sending: SendingSocket
    private var batch = DatagramBatch(slots: 64, octets: 9_216)
    private(set) var kernelDrops: Int64 = 0
    private(set) var refused: Int64 = 0
    /// Whether the last datagram was sent.
    var isSent: Bool { sending.problem == nil }
    private var problem: SystemCallError?

    var descriptor: CInt { listening.rawValue }

    init(_ flow: RelayPlan.Flow, of plan: RelayPlan) throws(SystemCallError) {
        listening = try DatagramSocket(
            listeningTo: flow.from.address, port: flow.from.port, interface: plan.interface)
        sending = try SendingSocket(
            to: flow.to.address, port: flow.to.port, interface: plan.outInterface ?? plan.interface,
            hops: plan.hops)
    }

    /// Passes on the datagrams that have come, without waiting.
    func receive(_ body: (UnsafeRawBufferPointer, Monotonic) -> Void) throws(SystemCallError) {
        let count = try batch.receive(from: listening, waits: false)
        for index in 0..<count {
            let arrival = batch.arrival(index)
            batch.withBytes(index) { body($0, arrival) }
        }
        kernelDrops = Int64(batch.kernelDrops)
    }

    func send(_ bytes: UnsafeRawBufferPointer) {
        do throws(SystemCallError) {
            try sending.send(bytes)
        } catch {
            problem = problem ?? error
            refused += 1  // the relay tells it once, and the totals count it
        }
    }

    /// Why datagrams were not sent since this was last asked; nil if all were.
    func takeProblem() -> SystemCallError? {
        defer { problem = nil }
        return problem
    }
}
