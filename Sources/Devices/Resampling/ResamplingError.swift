// SPDX-License-Identifier: Apache-2.0

/// Why audio could not be converted.
public enum ResamplingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rate is not 8...192 kHz, or the number of channels not 1...8.
    case unsupported(SourceFormat)
    /// libswresample refused; the call and libavutil's error code.
    case failed(call: String, code: Int32)

    public var description: String {
        switch self {
        case .unsupported(let format): "\(format.channels) channels at \(format.sampleRate) Hz are not supported"
        case .failed(let call, let code): "\(call) failed with \(code)"
        }
    }
}
