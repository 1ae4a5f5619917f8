// SPDX-License-Identifier: Apache-2.0

/// Tracks which session decodes on which device, and what remains of each device's instances, sizes and rates.
public struct DecoderBudget: Sendable {
    public struct Admission: Hashable, Sendable {
        /// Number by which the session is released.
        public let number: Int
        public let path: String
    }

    private struct Session {
        let need: DecoderNeed
        let path: String
    }

    public private(set) var inventory: DecoderInventory
    public let limits: DecoderLimits
    public private(set) var capabilities: [DecoderCapability]
    private var sessions: [Int: Session] = [:]
    private var lastNumber = 0

    public init(_ inventory: DecoderInventory, limits: DecoderLimits = DecoderLimits()) {
        self.inventory = inventory
        self.limits = limits
        capabilities = DecoderCapability.all(of: inventory, limits)
    }

    /// Updates the devices after some were added or removed. A device on which a session decodes stays listed, because
    /// it may only have refused to be opened again.
    public mutating func replace(_ inventory: DecoderInventory) {
        let paths = Set(inventory.devices.map(\.path))
        let busy = self.inventory.devices.filter { !paths.contains($0.path) && count(of: $0.path) > 0 }
        self.inventory = inventory
        self.inventory.devices += busy
        capabilities = DecoderCapability.all(of: self.inventory, limits)
    }

    public var count: Int { sessions.count }

    /// The number of sessions that all devices together decode at once; nil if the limit of one of them is unknown, or if
    /// there is no device.
    public var mostSessions: Int? {
        var most: Int?
        for (_, streams) in Dictionary(grouping: capabilities.filter(\.device.kind.isUsed), by: \.device.path) {
            let ofStreams = streams.map(\.streamInstances)
            let sum = ofStreams.contains(nil) ? nil : ofStreams.compactMap { $0 }.reduce(0, +)
            guard let least = [streams[0].deviceInstances, sum].compactMap({ $0 }).min() else { return nil }
            most = (most ?? 0) + least
        }
        return most
    }

    /// - Parameter coding: nil counts the sessions of all codings.
    public func count(of path: String, _ coding: VideoCoding? = nil) -> Int {
        sessions.values.count { $0.path == path && (coding == nil || $0.need.coding == coding) }
    }

    /// Chooses among the capable devices: first by kind, then the one with the fewest sessions, then the first.
    /// - Parameter excluded: paths of devices that the session does not want.
    public mutating func admit(
        _ need: DecoderNeed, excluding excluded: Set<String> = []
    ) -> Result<Admission, DecoderRefusal> {
        var refusal = lacksLicence(need.coding) ? DecoderRefusal.unlicensed : .noDevice
        var best: (path: String, rank: Int, sessions: Int)?
        var busy = 0
        for capability in capabilities where capability.stream.coding == need.coding {
            let path = capability.device.path
            if let obstacle = excluded.contains(path) ? .excluded : obstacle(for: need, to: capability) {
                if case .allInUse(let count) = obstacle { busy += count }
                if obstacle.rank >= refusal.rank { refusal = obstacle }
            } else {
                let (rank, sessions) = (capability.device.kind.rank, count(of: path))
                if best.map({ ($0.rank, $0.sessions) > (rank, sessions) }) ?? true { best = (path, rank, sessions) }
            }
        }
        guard let best else {
            if case .allInUse = refusal { refusal = .allInUse(busy) }
            return .failure(refusal)
        }
        lastNumber += 1
        sessions[lastNumber] = Session(need: need, path: best.path)
        return .success(Admission(number: lastNumber, path: best.path))
    }

    /// Whether a device would decode it if it had its licence.
    private func lacksLicence(_ coding: VideoCoding) -> Bool {
        inventory.devices.contains { device in
            limits.limits(of: device)?.licenceProblem != nil && device.streams.contains { $0.coding == coding }
        }
    }

    /// Frees the session's device.
    public mutating func release(_ number: Int) { sessions[number] = nil }

    /// nil if the device can take the session.
    private func obstacle(for need: DecoderNeed, to capability: DecoderCapability) -> DecoderRefusal? {
        guard capability.device.kind.isUsed else { return .onlyStateless }
        let stream = capability.stream
        if let profile = need.profile, !stream.profiles.isEmpty, !stream.profiles.contains(where: profile.namesProfile)
        {
            return .profile(profile)
        }
        if let size = need.size, let sizes = stream.sizes, !sizes.includes(width: size.width, height: size.height) {
            return .size(size, sizes)
        }
        if let rate = need.picturesPerSecond, let most = capability.mostPicturesPerSecond, rate > most {
            return .rate(rate, most: most)
        }
        let path = capability.device.path
        if let instances = capability.streamInstances, count(of: path, need.coding) >= instances {
            return .allInUse(instances)
        }
        if let instances = capability.deviceInstances, count(of: path) >= instances { return .allInUse(instances) }
        if let throughput = capability.pixelsPerSecond {
            let used = sessions.values.lazy.filter { $0.path == path }.map(\.need.pixelsPerSecond).reduce(0, +)
            let left = max(0, throughput - used)
            if need.pixelsPerSecond > left { return .throughput(need.pixelsPerSecond, left: left) }
        }
        return nil
    }
}
