// SPDX-License-Identifier: Apache-2.0
import System

/// Why a hardware decoder was given up. Another decoder continues, or this one after it was reopened.
public enum DecoderFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// No device takes such a stream.
    case noDevice(FourCC)
    /// The device changed the coded format that it was asked for.
    case refusedFormat(FourCC)
    /// The device gives pictures of a format that we cannot draw.
    case unknownPictures(FourCC)
    /// The format of its pictures is inconsistent.
    case badFormat(FourCC, width: Int, height: Int)
    /// Not even the fewest necessary buffers could be allocated.
    case outOfMemory
    /// The device had all it needs and for `HardwareDecoder.patience` neither delivered nor asked for anything.
    case wedged(DecoderPhase)
    /// The device took this many units and gave no picture for `HardwareDecoder.patience`.
    case fruitless(units: Int)
    /// The format changed this many times without a good picture.
    case restless(changes: Int)
    /// Readers did not give back this many pictures of the old format in time to allocate the new buffers.
    case picturesKept(Int)
    /// A unit exceeds the coded buffer, and the device takes no parts of units.
    case unitTooLarge(octets: Int)
    /// The device reported something impossible.
    case nonsense(String)
    /// This many pictures in a row carried no serial of a unit that was sent.
    case untimed(pictures: Int)
    /// The device has been removed.
    case gone
    /// The kernel refused a call; the call with its operand, and errno.
    case failed(call: String, code: CInt)

    /// For the event log; the same text in all cases of one kind.
    public var reason: String {
        switch self {
        case .noDevice: "no device"
        case .refusedFormat, .badFormat: "refused format"
        case .unknownPictures: "unknown pictures"
        case .outOfMemory: "out of memory"
        case .wedged, .fruitless: "wedged"
        case .restless: "restless"
        case .picturesKept: "pictures kept"
        case .unitTooLarge: "unit too large"
        case .nonsense: "nonsense"
        case .untimed: "untimed"
        case .gone: "gone"
        case .failed: "failed"
        }
    }

    public var description: String {
        switch self {
        case .noDevice(let format): "no device decodes \(format)"
        case .refusedFormat(let format): "refused format \(format)"
        case .unknownPictures(let format): "gives pictures of the unknown format \(format)"
        case .badFormat(let format, let width, let height): "gives \(format) of \(width) x \(height), which cannot be"
        case .outOfMemory: "out of memory"
        case .wedged(let phase): "wedged while \(phase.rawValue)"
        case .fruitless(let units): "took \(units) units and gave no picture"
        case .restless(let changes): "changed format \(changes) times without a picture"
        case .picturesKept(let count): "\(count) pictures of the old format were not given back"
        case .unitTooLarge(let octets): "a unit of \(octets) octets is too large"
        case .nonsense(let what): "says what cannot be: \(what)"
        case .untimed(let pictures): "\(pictures) pictures of no unit"
        case .gone: "gone"
        case .failed(let call, let code): "\(call): \(Errno(rawValue: code))"
        }
    }

    init(_ error: SystemCallError) {
        switch error.code {
        case .noDevice, .notThere: self = .gone
        case .noMemory: self = .outOfMemory
        default: self = .failed(call: error.call, code: error.code.rawValue)
        }
    }
}

/// The state of a decoder. The names follow the kernel's description of stateful decoders (dev-decoder, "State
/// Machine").
public enum DecoderPhase: String, Hashable, Sendable, CaseIterable {
    case opening
    /// Takes units; their format is not known yet ("Initialization").
    case awaitingHeader = "awaiting a header"
    /// "Capture Setup".
    case settingUp = "setting up"
    /// Readers still hold pictures of the previous format that cannot outlive their queue.
    case awaitingReturns = "awaiting returns"
    case decoding
    /// The stream has changed, and pictures from before the change are still inside ("Dynamic Resolution Change").
    case changing
    case draining
    /// "Stopped".
    case drained
    case flushing
    case failed
    case closed
}
