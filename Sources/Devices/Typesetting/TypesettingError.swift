// SPDX-License-Identifier: Apache-2.0

/// Why text could not be drawn.
public enum TypesettingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// fontconfig finds no font that can draw a letter; the family that was asked for.
    case noFont(String)
    case outOfMemory

    public var description: String {
        switch self {
        case .noFont(let family): "no font draws text (\(family) was asked for): install fonts-dejavu-core"
        case .outOfMemory: "libass is out of memory"
        }
    }
}
