// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

/// Protection for a flow that is received already, and what it needs of memory, which the control loop takes. What it
/// replaces is left in it, so that the receive thread gives nothing back either.
///
/// Sendable: the control loop makes it and hands it over; from then on the receive thread alone touches the variables.
final class FlowReinforcement: @unchecked Sendable {
    var repair: RepairStage
    var window: ReorderWindow
    var recovered: SequenceSet
    private let fullHold: Nanoseconds
    private let allowedHold: Atomic<Int64>

    /// - Parameter allowed: see `allow`.
    init(_ protection: FlowProtection, allowed: Nanoseconds) {
        repair = RepairStage(protection)
        window = ReorderWindow(
            hold: RTPFlow.reorderHold, places: protection.places, octets: protection.octets)
        recovered = SequenceSet(span: 2 * protection.places)
        fullHold = protection.hold
        allowedHold = Atomic(allowed.count)
    }

    /// How long a gap may stay open.
    var hold: Nanoseconds {
        max(RTPFlow.reorderHold, min(fullHold, Nanoseconds(allowedHold.load(ordering: .relaxed))))
    }

    /// What is behind a gap is presented no earlier than its end, so a gap must not stay open for longer than the playback
    /// waits. Any thread.
    func allow(_ hold: Nanoseconds) { allowedHold.store(hold.count, ordering: .relaxed) }
}
