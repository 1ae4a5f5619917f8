// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Venue

@testable import ErasureCoding

/// What a repairer hands on.
struct Listener {
    struct Delivered: Equatable {
        var packet: [UInt8]
        var arrival: Monotonic
        var isRecovered: Bool
    }

    let repairer: WindowRepairer
    var delivered: [Delivered] = []

    init(_ windows: RepairWindows) {
        guard let repairer = WindowRepairer(windows) else {
            preconditionFailure("windows of a test that are not supported")
        }
        self.repairer = repairer
    }

    var counters: WindowCounters { repairer.counters }
    var recovered: [[UInt8]] { delivered.filter(\.isRecovered).map(\.packet) }

    mutating func hear(_ datagram: ProtectedFlow.Datagram, at time: Monotonic? = nil) {
        let time = time ?? datagram.time
        var out: [Delivered] = []
        datagram.bytes.withUnsafeBytes { bytes in
            let deliver: WindowRepairer.Delivery = { packet, arrival, isRecovered in
                out.append(Delivered(packet: Array(packet), arrival: arrival, isRecovered: isRecovered))
            }
            if datagram.isRepair {
                repairer.repairReceived(bytes, at: time, deliver: deliver)
            } else {
                repairer.sourceReceived(bytes, at: time, deliver: deliver)
            }
        }
        delivered += out
        checkIdentity()
    }

    mutating func hear(_ datagrams: some Sequence<ProtectedFlow.Datagram>) {
        for datagram in datagrams { hear(datagram) }
    }

    mutating func tick(at time: Monotonic) {
        repairer.tick(at: time) { _, _, _ in Issue.record("nothing is made of time") }
        checkIdentity()
    }

    /// SVM-126.
    func checkIdentity() {
        let counters = counters
        let sum = counters.withoutLoss + counters.repaired + counters.failed + counters.refused
        if sum != counters.windows { Issue.record("\(counters)") }
    }
}
