// SPDX-License-Identifier: Apache-2.0
import System

public enum SoundError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The device takes nothing that we can give.
    case unsupported(device: String, what: String)
    /// Not there, or there no longer, or it takes nothing any more: close it and try to open it again later.
    case lost(SystemCallError)
    /// What was written is not kept; the next may be.
    case failed(SystemCallError)

    public var description: String {
        switch self {
        case .unsupported(let device, let what): "\(device): \(what)"
        case .lost(let error), .failed(let error): error.description
        }
    }
}
