// SPDX-License-Identifier: Apache-2.0
import System

/// Why a hardware decoder was given up. Another rung of the ladder goes on, or this one anew.
public enum DecoderFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// None here takes such a stream.
    case noDevice(FourCC)
    /// It was asked for a format and made another one of it.
    case refusedFormat(FourCC)
    /// It gives pictures that nothing of ours draws.
    case unknownPictures(FourCC)
    /// Its pictures' format contradicts itself.
    case badFormat(FourCC, width: Int, height: Int)
    /// Not even the fewest buffers that it works with.
    case outOfMemory
    /// It had what it needs, and neither delivered nor asked for as long as `HardwareDecoder.patience`.
    case wedged(DecoderPhase)
    /// It took as many units and made no picture of them, as long as that.
    case fruitless(units: Int)
    /// It changed its format as many times without a good picture.
    case restless(changes: Int)
    /// Pictures of the old format were not given back in time for it to make those of the new one.
    case picturesKept(Int)
    /// A unit is larger than its buffers, and it takes no pieces.
    case unitTooLarge(octets: Int)
    /// It says what cannot be.
    case nonsense(String)
    /// As many pictures in a row bear no time of a unit that went in.
    case untimed(pictures: Int)
    /// It is not there any more.
    case gone
    /// The kernel refused a call: which, its operand and errno.
    case failed(call: String, code: CInt)

    /// For the event log: what does not change from one case to the next.
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

/// Where a decoder is. The kernel's description of stateful decoders names its states likewise (dev-decoder, "State
/// Machine").
public enum DecoderPhase: String, Hashable, Sendable, CaseIterable {
    case opening
    /// Takes units; what they hold is not known yet ("Initialization").
    case awaitingHeader = "awaiting a header"
    /// "Capture Setup".
    case settingUp = "setting up"
    /// Pictures of the format before are still out and cannot outlive their queue.
    case awaitingReturns = "awaiting returns"
    case decoding
    /// The stream has changed, and pictures from before it are still inside ("Dynamic Resolution Change").
    case changing
    case draining
    /// "Stopped".
    case drained
    case flushing
    case failed
    case closed
}
