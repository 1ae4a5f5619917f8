// SPDX-License-Identifier: Apache-2.0

public enum ResamplingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not 8...192 kHz, not 1...8 channels, or a mask that does not name as many.
    case unsupported(SourceFormat)
    /// Any other refusal: which call, and libavutil's code.
    case failed(call: String, code: Int32)

    public var description: String {
        switch self {
        case .unsupported(let format): "\(format.channels) channels at \(format.sampleRate) Hz are not supported"
        case .failed(let call, let code): "\(call) failed with \(code)"
        }
    }
}
