// SPDX-License-Identifier: Apache-2.0

/// Why a line is no message, in words.
public struct MessageLineError: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
