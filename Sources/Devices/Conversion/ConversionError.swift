// SPDX-License-Identifier: Apache-2.0
import Scene

public enum ConversionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// libswscale has no way between these formats and sizes.
    case unsupported(from: PixelSize, to: PixelSize)
    /// libswscale's code for a picture that it began.
    case failed(Int32)

    public var description: String {
        switch self {
        case .unsupported(let from, let to): "libswscale cannot convert \(from) to \(to)"
        case .failed(let code): "sws_scale failed with \(code)"
        }
    }
}
