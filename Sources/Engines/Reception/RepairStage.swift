// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import Time
import Venue

/// Recovers lost packets of one flow, in front of its reorder window. Owned by one thread; all memory is taken in
/// `init`.
enum RepairStage {
    case none
    case windows(WindowRepairer)
    case parity(ParityRepairer)

    /// `.none` where the repair is not supported; the line-up offers no such channel.
    init(_ protection: FlowProtection?) {
        switch protection?.repair {
        case .windows(let windows)?: self = WindowRepairer(windows).map { .windows($0) } ?? .none
        case .parity(let parity)?:
            self = .parity(
                ParityRepairer(
                    parity, packets: protection?.places ?? ReorderWindow.usualPlaces,
                    packetOctets: FlowProtection.packetRoom))
        case nil: self = .none
        }
    }

    /// Octets that follow each media packet: the source payload id of RFC 6865 §4.1.2.
    var trailingOctets: Int { if case .windows = self { 6 } else { 0 } }

    /// - Parameter deliver: takes the packet without what repair added to it, and each packet that it made recoverable.
    func mediaReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, deliver: WindowRepairer.Delivery) {
        switch self {
        case .none: deliver(bytes, arrival, false)
        case .windows(let repairer): repairer.sourceReceived(bytes, at: arrival, deliver: deliver)
        case .parity(let repairer): repairer.mediaReceived(bytes, at: arrival, deliver: deliver)
        }
    }

    func repairReceived(
        _ bytes: UnsafeRawBufferPointer, of part: FlowPart, at arrival: Monotonic, deliver: WindowRepairer.Delivery
    ) {
        switch self {
        case .none: break
        case .windows(let repairer): repairer.repairReceived(bytes, at: arrival, deliver: deliver)
        case .parity(let repairer):
            if part == .rows {
                repairer.rowReceived(bytes, at: arrival, deliver: deliver)
            } else {
                repairer.columnReceived(bytes, at: arrival, deliver: deliver)
            }
        }
    }

    func tick(at now: Monotonic, deliver: WindowRepairer.Delivery) {
        switch self {
        case .none: break
        case .windows(let repairer): repairer.tick(at: now, deliver: deliver)
        case .parity(let repairer): repairer.tick(at: now, deliver: deliver)
        }
    }

    /// Another sender begins: no window or parity reaches across the change.
    func senderChanged() {
        switch self {
        case .none: break
        case .windows(let repairer): repairer.finish()
        case .parity(let repairer): repairer.finish()
        }
    }

    func count(in counters: inout ReceptionCounters) {
        switch self {
        case .none: break
        case .windows(let repairer): counters.count(repairer.counters)
        case .parity(let repairer): counters.count(repairer.counters)
        }
    }
}
