// SPDX-License-Identifier: Apache-2.0

/// The beginning of content identifiers, by which a client says which content its timeline is for (TS 103 286-2
/// clause 5.2.2).
public struct ContentIDStem: Hashable, Sendable {
    /// Empty for any content.
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Whether the content's identifier begins with the stem, octet for octet: case counts. An identifier that is not
    /// known, nil, matches no stem.
    public func matches(_ contentID: String?) -> Bool { contentID?.utf8.starts(with: text.utf8) ?? false }
}
