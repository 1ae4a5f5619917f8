// SPDX-License-Identifier: Apache-2.0

/// Why no device decodes for a session. `rank` orders the reasons by how far a device came in the checks.
public enum DecoderRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case noDevice
    /// The device that would decode it has not the licence that its board demands.
    case unlicensed
    /// All devices for such a stream are stateless, which we do not use.
    case onlyStateless
    /// The session itself excluded the devices.
    case excluded
    case profile(String)
    case size(DecoderNeed.Size, FrameSizes)
    /// Pictures per second.
    case rate(Int, most: Int)
    case allInUse(Int)
    /// Pixels per second, compared with what other sessions leave.
    case throughput(Int, left: Int)

    public var description: String { "hardware: \(what)" }

    private var what: String {
        switch self {
        case .noDevice: "no device"
        case .unlicensed: "no licence"
        case .onlyStateless: "no stateful device"
        case .excluded: "given up"
        case .profile(let profile): "no profile \(profile)"
        case .size(let size, let taken):
            "no \(size.width)x\(size.height), takes \(taken.width.lowerBound)x\(taken.height.lowerBound) to "
                + "\(taken.width.upperBound)x\(taken.height.upperBound)"
        case .rate(let rate, let most): "no \(rate) pictures a second, at most \(most)"
        case .allInUse(let count): "all \(count) sessions in use"
        case .throughput(let needed, let left): "no \(needed) pixels a second, \(left) left"
        }
    }

    /// The refusal of highest rank says most about what could be changed.
    var rank: Int {
        switch self {
        case .noDevice: 0
        case .unlicensed: 1
        case .onlyStateless: 2
        case .excluded: 3
        case .profile: 4
        case .size: 5
        case .rate: 6
        case .throughput: 7
        case .allInUse: 8
        }
    }
}
