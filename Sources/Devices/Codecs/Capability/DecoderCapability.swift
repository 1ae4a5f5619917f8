// SPDX-License-Identifier: Apache-2.0

/// What one device can decode of one kind of stream, according to its driver and the board's limits.
public struct DecoderCapability: Hashable, Sendable {
    public let device: DecoderDevice
    public let stream: DecoderDevice.Stream
    /// For one session; nil if unknown.
    public let mostPicturesPerSecond: Int?
    /// Limit on concurrent sessions of this stream; nil if unknown.
    public let streamInstances: Int?
    /// Limit on concurrent sessions of all the device's streams; nil if unknown.
    public let deviceInstances: Int?
    /// Limit for all the device's sessions together; nil if unknown.
    public let pixelsPerSecond: Int?

    /// - Returns: nil if the limits permit no session.
    init?(_ device: DecoderDevice, _ stream: DecoderDevice.Stream, _ limits: DecoderLimits.Device?) {
        var stream = stream
        guard limits?.licenceProblem == nil else { return nil }
        let limit = limits?.streams?.first { $0.coding == stream.coding }
        guard limits?.streams == nil || limit != nil, limit?.instances != 0, limits?.instances != 0 else { return nil }
        if let limit, !stream.narrow(by: limit) { return nil }
        (self.device, self.stream) = (device, stream)
        mostPicturesPerSecond = limit?.mostPicturesPerSecond
        streamInstances = limit?.instances
        deviceInstances = limits?.instances
        pixelsPerSecond = limits?.pixelsPerSecond
    }

    /// The smaller of `streamInstances` and `deviceInstances`; nil if both are unknown.
    public var instances: Int? {
        guard let streamInstances, let deviceInstances else { return streamInstances ?? deviceInstances }
        return min(streamInstances, deviceInstances)
    }

    public static func all(of inventory: DecoderInventory, _ limits: DecoderLimits) -> [DecoderCapability] {
        inventory.devices.flatMap { device in
            device.streams.compactMap { DecoderCapability(device, $0, limits.limits(of: device)) }
        }
    }
}

extension DecoderDevice.Stream {
    /// - Returns: false when nothing is left.
    fileprivate mutating func narrow(by limit: DecoderLimits.Stream) -> Bool {
        if let named = limit.profiles {
            profiles = profiles.isEmpty ? named : profiles.filter { own in named.contains { own.namesProfile($0) } }
            guard !profiles.isEmpty else { return false }
        }
        guard limit.mostWidth != nil || limit.mostHeight != nil else { return true }
        let own = sizes ?? FrameSizes(width: 1...65_535, height: 1...65_535)
        let (width, height) = (limit.mostWidth ?? .max, limit.mostHeight ?? .max)
        guard width >= own.width.lowerBound, height >= own.height.lowerBound else { return false }
        sizes = FrameSizes(
            width: own.width.lowerBound...min(width, own.width.upperBound),
            height: own.height.lowerBound...min(height, own.height.upperBound))
        return true
    }
}

extension String {
    /// Drivers write "Constrained Baseline", people also "constrainedBaseline".
    func namesProfile(_ other: String) -> Bool { lettersAndDigits == other.lettersAndDigits }

    private var lettersAndDigits: [UInt8] {
        utf8.compactMap { octet in
            switch octet {
            case 0x41...0x5A: octet + 0x20
            case 0x30...0x39, 0x61...0x7A: octet
            default: nil
            }
        }
    }
}
