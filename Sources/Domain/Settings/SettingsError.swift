// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// Why a configuration document is refused. None of it takes effect.
public enum SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    case malformed(JSONError)
    /// The first 20 problems, at least one.
    case invalid([Problem])

    public var description: String {
        switch self {
        case .malformed(let error): "not JSON: \(error)"
        case .invalid(let problems): problems.map(\.description).joined(separator: "; ")
        }
    }

    public var status: Status { .failure(.configuration, description) }
}
