// SPDX-License-Identifier: Apache-2.0
import System

/// Why sound could not be played.
public enum SoundError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The device accepts no format that we can produce.
    case unsupported(device: String, what: String)
    /// The device is missing, was removed or takes no samples any more. Close it and try to open it again later.
    case lost(SystemCallError)
    /// These samples were dropped; a later write may succeed.
    case failed(SystemCallError)

    public var description: String {
        switch self {
        case .unsupported(let device, let what): "\(device): \(what)"
        case .lost(let error), .failed(let error): error.description
        }
    }
}
