// SPDX-License-Identifier: Apache-2.0

/// FEC-scheme-specific information (RFC 6364 §4.5): `E:1400,S:0,m:8`. What is no such pair stays as it is.
public struct SchemeInformation: Equatable, Sendable {
    static let most = 16

    public private(set) var values: [String: String] = [:]
    /// As RFC 6363 allows a scheme to write its octets: base64, hexadecimal…
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

    /// Names are the scheme's, with case.
    public func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
}
