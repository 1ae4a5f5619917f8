// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import Time
import Venue

/// The input is a script: packets of a window, repairs, depth (one octet each), then datagrams, each with its kind (1 a
/// repair, 2 time only, the rest tens of milliseconds that pass) and length (one octet each).
func fuzzProtectionWindows(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 3 else { return }
    let windows = RepairWindows(
        endpoint: FlowEndpoint(address: "239.1.1.1", port: 5_006), sourcePackets: 1 + Int(bytes[0] & 31),
        repairPackets: 1 + Int(bytes[1] & 15), depth: 1 + Int(bytes[2] & 3), symbolOctets: 64,
        span: .milliseconds(500))
    guard let repairer = WindowRepairer(windows) else { preconditionFailure("windows of ours") }
    var time = Monotonic(nanoseconds: 0)
    var sum: UInt64 = 0
    // Every octet delivered is touched, so that the address sanitizer sees a wrong range.
    func deliver(_ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool) {
        precondition(!isRecovered || (12...61).contains(packet.count))
        for octet in packet { sum &+= UInt64(octet) }
    }
    var rest = bytes.dropFirst(3)
    while rest.count > 1 {
        let (kind, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
        let datagram = UnsafeRawBufferPointer(rebasing: rest.dropFirst(2).prefix(length))
        rest = rest.dropFirst(2 + length)
        time += .milliseconds(Int64(kind >> 2) * 10)
        switch kind & 3 {
        case 0: repairer.sourceReceived(datagram, at: time, deliver: deliver)
        case 1: repairer.repairReceived(datagram, at: time, deliver: deliver)
        default: repairer.tick(at: time, deliver: deliver)
        }
        check(repairer.counters)
    }
    repairer.finish()
    check(repairer.counters)
    precondition(!repairer.isWaiting)
}

private func check(_ counters: WindowCounters) {
    precondition(
        counters.withoutLoss + counters.repaired + counters.failed + counters.refused == counters.windows)
}
