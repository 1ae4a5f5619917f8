// SPDX-License-Identifier: Apache-2.0

/// Why no device decodes for a session. Each says that it came further than those before it.
public enum DecoderRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case noDevice
    /// None of the devices that take such a stream takes it as it is.
    case onlyStateless
    /// The session itself has excluded them.
    case excluded
    case profile(String)
    case size(DecoderNeed.Size, FrameSizes)
    /// Pictures a second.
    case rate(Int, most: Int)
    case allInUse(Int)
    /// Pixels a second, of what the others leave.
    case throughput(Int, left: Int)

    public var description: String { "hardware: \(what)" }

    private var what: String {
        switch self {
        case .noDevice: "no device"
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

    /// The one that says more about what could be done.
    var rank: Int {
        switch self {
        case .noDevice: 0
        case .onlyStateless: 1
        case .excluded: 2
        case .profile: 3
        case .size: 4
        case .rate: 5
        case .throughput: 6
        case .allInUse: 7
        }
    }
}
