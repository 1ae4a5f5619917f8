// SPDX-License-Identifier: Apache-2.0

/// What a server answered, whatever its status is.
public struct TransferResponse: Hashable, Sendable {
    public let status: Int
    /// The fields that were asked for, by their names in lower case. Of one that comes twice it is the last.
    public let fields: [String: String]
    public let octets: [UInt8]
}
