// SPDX-License-Identifier: Apache-2.0

/// Why a line is not a message, in words for the operator.
public struct MessageLineError: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
