// SPDX-License-Identifier: Apache-2.0

/// A client of `CIIServer` or `TSServer`: one WebSocket, by a number of the owner's choice that is not used again.
public struct CompanionClient: Hashable, Comparable, Sendable {
    public let number: UInt64

    public init(number: UInt64) { self.number = number }

    public static func < (left: CompanionClient, right: CompanionClient) -> Bool { left.number < right.number }
}
