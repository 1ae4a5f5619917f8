// SPDX-License-Identifier: Apache-2.0

/// FEC-scheme-specific information (RFC 6364 §4.5), such as `E:1400,S:0,m:8`.
public struct SchemeInformation: Equatable, Sendable {
    static let most = 16

    public private(set) var values: [String: String] = [:]
    /// Elements that are not `name:value` pairs. RFC 6363 allows a scheme to encode its octets, for example in base64
    /// or hexadecimal.
    public private(set) var unread: [String] = []

    public init(_ text: String = "") {
        for piece in text.split(separator: ",").prefix(Self.most) {
            let pair = piece.split(separator: ":", maxSplits: 1)
            if pair.count == 2 {
                values[String(pair[0].trimmed)] = String(pair[1].trimmed)
            } else {
                unread.append(String(piece.trimmed))
            }
        }
    }

    /// The integer value of a name; nil if absent or not an integer. The scheme defines the names; their case matters.
    public func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
}
