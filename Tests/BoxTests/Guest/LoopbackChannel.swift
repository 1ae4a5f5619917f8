// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import System
import Time

/// Sends a transport stream to a group on the loopback interface until it ends.
final class LoopbackChannel {
    static let group = "239.255.77.21"
    private static let datagram = 7 * 188

    private let stopping = StopFlag()
    private let thread: DedicatedThread

    /// - Parameter make: called on its thread, gives what gives the packets of each `period`.
    convenience init(
        port: UInt16, every period: Nanoseconds, _ make: @escaping @Sendable () -> (Int) -> [UInt8]
    ) throws {
        try self.init(datagramsTo: port, every: period) {
            let next = make()
            return { number in
                let packets = next(number)
                return stride(from: 0, to: packets.count, by: Self.datagram).map { place in
                    Array(packets[place..<min(packets.count, place + Self.datagram)])
                }
            }
        }
    }

    /// - Parameter make: called on its thread, gives what gives the datagrams of each `period`.
    init(
        datagramsTo port: UInt16, every period: Nanoseconds, _ make: @escaping @Sendable () -> (Int) -> [[UInt8]]
    ) throws {
        let socket = try DatagramSocket(sendingTo: Self.group, port: port, interface: "lo")
        let stopping = stopping
        thread = try DedicatedThread("channel") {
            let next = make()
            let start = SystemClock.monotonic()
            var number: Int64 = 0
            while !stopping.isRaised {
                for datagram in next(Int(number)) {
                    // A network may lose it; then the test fails for want of pictures.
                    datagram.withUnsafeBytes { try? socket.send($0) }
                }
                number += 1
                SystemClock.sleep(until: start + period * number)
            }
        }
    }

    /// Pictures of FWHT, again and again.
    static func pictures(_ clip: FWHTClip, port: UInt16) throws -> LoopbackChannel {
        let units = clip.units
        return try LoopbackChannel(port: port, every: FWHTMultiplexer.period) {
            var multiplexer = FWHTMultiplexer()
            return { number in
                let place = number % units.count
                return multiplexer.packets(
                    of: units[place], number: number, isRandomAccess: place % FWHTClip.group == 0)
            }
        }
    }

    func stop() {
        guard !stopping.isRaised else { return }
        stopping.raise()
        thread.join()
    }
}
