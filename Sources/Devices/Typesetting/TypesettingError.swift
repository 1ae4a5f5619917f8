// SPDX-License-Identifier: Apache-2.0

public enum TypesettingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// fontconfig finds no font in which a letter has any ink; the family asked for.
    case noFont(String)
    case outOfMemory

    public var description: String {
        switch self {
        case .noFont(let family): "no font draws text (\(family) was asked for): install fonts-dejavu-core"
        case .outOfMemory: "libass is out of memory"
        }
    }
}
