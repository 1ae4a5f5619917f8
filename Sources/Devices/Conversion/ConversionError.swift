// SPDX-License-Identifier: Apache-2.0
import Scene

/// Why a picture could not be converted.
public enum ConversionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// libswscale has no conversion between these formats and sizes.
    case unsupported(from: PixelSize, to: PixelSize)
    /// libswscale failed during a conversion; its code.
    case failed(Int32)

    public var description: String {
        switch self {
        case .unsupported(let from, let to): "libswscale cannot convert \(from) to \(to)"
        case .failed(let code): "sws_scale failed with \(code)"
        }
    }
}
