// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The decoders of a box, shared by all its sessions. A session asks here for a decoder and keeps its place while it
/// decodes.
/// - Thread: any. Only `open` may take long.
public final class DecoderPool: Sendable {
    public struct Counts: Hashable, Sendable {
        /// Number of sessions that decode on a device.
        public var inUse = 0
        /// Sessions that were given a device since start; `refused` counts those that were not.
        public var admitted = 0
        public var refused = 0
    }

    private struct State {
        var budget: DecoderBudget
        var counts = Counts()
        var lastRefusal: DecoderRefusal?
    }

    /// Opens a device that this machine does not have.
    package typealias Opener = @Sendable (String, VideoCoding, DecoderTerms) throws(DecoderFault) -> any DeviceDecoder

    private let state: Mutex<State>
    private let opener: Opener?

    public convenience init(_ inventory: DecoderInventory, limits: DecoderLimits = DecoderLimits()) {
        self.init(inventory, limits: limits, opener: nil)
    }

    /// - Parameter opener: opens simulated devices in tests; nil opens the machine's own.
    package init(_ inventory: DecoderInventory, limits: DecoderLimits = DecoderLimits(), opener: Opener?) {
        state = Mutex(State(budget: DecoderBudget(inventory, limits: limits)))
        self.opener = opener
    }

    /// Reserves a place at a device.
    /// - Parameter excluded: paths of devices that failed this session.
    public func place(
        for need: DecoderNeed, excluding excluded: Set<String> = []
    ) -> Result<DecoderPlace, DecoderRefusal> {
        let admitted = state.withLock { (state) -> Result<DecoderBudget.Admission, DecoderRefusal> in
            let result = state.budget.admit(need, excluding: excluded)
            switch result {
            case .success: state.counts.admitted += 1
            case .failure(let refusal):
                state.counts.refused += 1
                state.lastRefusal = refusal
            }
            return result
        }
        return admitted.map { DecoderPlace($0, at: self) }
    }

    fileprivate func release(_ admission: DecoderBudget.Admission) {
        state.withLock { $0.budget.release(admission.number) }
    }

    /// Updates the devices after some were added or removed, or after the first listing.
    public func replace(_ inventory: DecoderInventory) { state.withLock { $0.budget.replace(inventory) } }

    /// - Parameter device: path of a device at which the caller holds a place.
    func open(
        _ device: String, decoding coding: VideoCoding, _ terms: DecoderTerms
    ) throws(DecoderFault) -> any DeviceDecoder {
        if let opener { return try opener(device, coding, terms) }
        if kind(of: device) == .library {
            return try LibraryDecoder(opening: device, decoding: coding, sparePictures: terms.sparePictures)
        }
        return try HardwareDecoder(
            opening: device, decoding: coding.stateful, size: terms.size, codedBuffers: terms.codedBuffers,
            sparePictures: terms.sparePictures, patience: terms.patience, mostInVain: terms.mostInVain)
    }

    /// nil if the device has been removed.
    private func kind(of path: String) -> DecoderDevice.Kind? {
        state.withLock { (state) -> DecoderDevice.Kind? in
            state.budget.inventory.devices.first { $0.path == path }?.kind
        }
    }

    public var budget: DecoderBudget { state.withLock { $0.budget } }

    public var counts: Counts {
        state.withLock { (state) -> Counts in
            var counts = state.counts
            counts.inUse = state.budget.count
            return counts
        }
    }

    /// Why the last refused session was refused; nil if none was.
    public var lastRefusal: DecoderRefusal? { state.withLock { $0.lastRefusal } }
}

/// A session's place at a device. It is freed when its last reference is released.
public final class DecoderPlace: Sendable {
    /// Path of the device.
    public let path: String
    private let admission: DecoderBudget.Admission
    private let pool: DecoderPool

    fileprivate init(_ admission: DecoderBudget.Admission, at pool: DecoderPool) {
        path = admission.path
        self.admission = admission
        self.pool = pool
    }

    deinit { pool.release(admission) }
}
