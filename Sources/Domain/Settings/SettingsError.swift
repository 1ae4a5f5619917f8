// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// Why a configuration document is not taken. Nothing of it is.
public enum SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    case malformed(JSONError)
    /// At least one; the first 20.
    case invalid([Problem])

    public var description: String {
        switch self {
        case .malformed(let error): "not JSON: \(error)"
        case .invalid(let problems): problems.map(\.description).joined(separator: "; ")
        }
    }

    public var status: Status { .failure(.configuration, description) }
}
