// SPDX-License-Identifier: Apache-2.0

/// Why a store does not take or give anything. Nothing of what it was asked for has been done.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What may be done about it.
    public enum Kind: String, Sendable, CaseIterable {
        /// Its disk has no room.
        case full
        /// Somebody else keeps it.
        case busy
        case readOnly
        /// It is not there, or cannot be reached.
        case gone
        /// Its disk does not read or write.
        case failing
        case damaged
        /// A later version of the program made its tables, or the program is wrong.
        case other
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}
