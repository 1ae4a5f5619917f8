// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import Time
import Venue

/// Windows of 100 packets of seven TS packets each and 30 repairs, both ways beside ISA-L's loop over the same windows
/// without any copy: `window-recover-8` and `-30` with so many packets lost in each.
/// Nine tenths of its speed are asked for.
let repairBenchmarks: [Benchmark] = {
    func beside(
        _ name: String, rows: Int, loop: @escaping @Sendable (BareSymbolLoop) -> UInt64,
        run: @escaping @Sendable (Int) -> UInt64
    ) -> Benchmark {
        var benchmark = Benchmark(
            name: name, operation: "window of 100 + 30", octets: windowPackets * packetOctets,
            peer: Benchmark.Peer(name: "ISA-L") { count in
                let symbols = BareSymbolLoop(columns: windowPackets, rows: rows, octets: packetOctets + 3)
                return (0..<count).reduce(0) { sum, _ in sum &+ loop(symbols) }
            }, run: run)
        benchmark.leastSpeed = 0.9
        return benchmark
    }
    return [beside("window-encode", rows: windowRepairs, loop: { $0.encode() }, run: encodeWindows)]
        + [8, 30].map { losses in
            beside("window-recover-\(losses)", rows: losses, loop: { $0.recover() }) {
                recoverWindows($0, losses: losses)
            }
        }
}()

private let windowPackets = 100
private let windowRepairs = 30
private let packetOctets = 1_328

private func windows(depth: Int) -> RepairWindows {
    RepairWindows(
        endpoint: FlowEndpoint(address: "239.1.1.1", port: 5_006), sourcePackets: windowPackets,
        repairPackets: windowRepairs, depth: depth, span: .milliseconds(1_500))
}

private func packet(_ number: Int) -> [UInt8] {
    [0x80, 33, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number), 0, 0, 0, 0, 0, 0, 0, 1]
        + (12..<packetOctets).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
}

private func encodeWindows(_ count: Int) -> UInt64 {
    guard let encoder = WindowEncoder(windows(depth: 6)) else { fatalError("windows of ours") }
    let packets = (0..<windowPackets).map(packet)
    var sum: UInt64 = 0
    var time = Monotonic(nanoseconds: 0)
    for number in 0..<count * windowPackets {
        time += .microseconds(2_105)
        packets[number % windowPackets].withUnsafeBytes { packet in
            _ = encoder.packetSent(packet, at: time) {
                sum &+= UInt64($0.count)
            } repair: {
                sum &+= UInt64($0[6])
            }
        }
    }
    return sum
}

private func recoverWindows(_ count: Int, losses: Int) -> UInt64 {
    let windows = windows(depth: 1)
    guard let encoder = WindowEncoder(windows), let repairer = WindowRepairer(windows) else {
        fatalError("windows of ours")
    }
    var sources: [[UInt8]] = []
    var repairs: [[UInt8]] = []
    let start = Monotonic(nanoseconds: 0)
    for number in 0..<windowPackets {
        packet(number).withUnsafeBytes { packet in
            _ = encoder.packetSent(packet, at: start) {
                sources.append(Array($0))
            } repair: {
                repairs.append(Array($0))
            }
        }
    }
    encoder.finish { repairs.append(Array($0)) }
    // Spread over the window, as interleaving does it.
    let heard = (0..<windowPackets).filter { $0 * losses / windowPackets == ($0 + 1) * losses / windowPackets }
    var sum: UInt64 = 0
    func deliver(_ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool) {
        sum &+= isRecovered ? 1 << 32 : UInt64(packet.count)
    }
    func number(_ bytes: UnsafeMutableRawBufferPointer, at place: Int, _ block: Int) {
        for octet in 0..<3 { bytes[place + octet] = UInt8(truncatingIfNeeded: block >> (16 - 8 * octet)) }
    }
    for block in 0..<count {
        for index in heard {
            sources[index].withUnsafeMutableBytes { bytes in
                number(bytes, at: bytes.count - 6, block)
                repairer.sourceReceived(UnsafeRawBufferPointer(bytes), at: start, deliver: deliver)
            }
        }
        for index in 0..<losses {
            repairs[index].withUnsafeMutableBytes { bytes in
                number(bytes, at: 0, block)
                repairer.repairReceived(UnsafeRawBufferPointer(bytes), at: start, deliver: deliver)
            }
        }
    }
    repairer.finish()
    guard repairer.counters.repaired == Int64(count) else { fatalError("\(repairer.counters)") }
    return sum
}
