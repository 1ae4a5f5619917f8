// SPDX-License-Identifier: Apache-2.0
import Media
import Reception
import Time
import Venue

/// Octets of transport stream in each datagram.
private let payload = 1_316
/// Of a channel at 1 Gbit/s on one processor: what a datagram may take.
private let wholeCore = Double(payload * 8)

/// From datagrams to history: order, repair, continuity, tables, TR 101 290, clock, counters. One operation is a packet of
/// the media as sent, so losses and repair are in it; its time is the thread's own, and the limit is one processor for
/// 1 Gbit/s of transport stream.
let receptionBenchmarks: [Benchmark] = {
    let windows = RepairWindows(
        endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_006), sourcePackets: 100, repairPackets: 30, depth: 6,
        span: .milliseconds(600))
    let parity = RepairParity(
        columns: FlowEndpoint(address: "239.0.0.1", port: 5_006), rows: FlowEndpoint(address: "239.0.0.1", port: 5_008),
        span: .milliseconds(200))
    return [
        benchmark("reception-plain", of: ReceptionScene(nil)),
        benchmark("reception-windows", of: ReceptionScene(.windows(windows), loss: 0.05, burst: 8)),
        benchmark("reception-lossless", of: ReceptionScene(.windows(windows))),
        benchmark("reception-parity", of: ReceptionScene(.parity(parity), loss: 0.01, burst: 3)),
    ]
}()

private func benchmark(_ name: String, of scene: @autoclosure @escaping @Sendable () -> ReceptionScene) -> Benchmark {
    // Made where it is first used: who asks for another benchmark does not wait for it.
    let made = Made(scene)
    return Benchmark(name: name, operation: "packet", limit: wholeCore, octets: payload, timing: { made.scene.run($0) })
}

/// Only the one thread that measures uses it.
private final class Made: @unchecked Sendable {
    private let make: @Sendable () -> ReceptionScene
    private(set) lazy var scene = make()

    init(_ make: @escaping @Sendable () -> ReceptionScene) { self.make = make }
}
