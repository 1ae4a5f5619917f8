// SPDX-License-Identifier: Apache-2.0
import JSON

/// Whether a server presents its content as it should (TS 103 286-2, CSS-CII `presentationStatus`).
public struct PresentationStatus: Hashable, Sendable {
    public enum Aspect: String, Sendable, CaseIterable {
        case okay
        /// Between two contents.
        case transitioning
        case fault
    }

    public let aspect: Aspect
    /// Further words, which the standard leaves to others; none is empty or has a space.
    public let extensions: [String]

    /// - Parameter extensions: words without spaces.
    public init(_ aspect: Aspect, extensions: [String] = []) {
        precondition(extensions.allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: " ")) })
        self.aspect = aspect
        self.extensions = extensions
    }

    /// Words that are separated by spaces, the first an `Aspect`; nil for any other text.
    public init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        guard text.utf8.count <= MessageLimits.status, words.count <= MessageLimits.statusWords,
            let aspect = words.first.flatMap({ Aspect(rawValue: $0) })
        else { return nil }
        self.init(aspect, extensions: Array(words.dropFirst()))
    }

    /// As in a message. Televisions are met that send a list of words in place of a text.
    init?(_ value: JSONValue) {
        let parts = value.array ?? [value]
        guard parts.count <= MessageLimits.statusWords else { return nil }
        let words = parts.compactMap { MessageFields.text($0, atMost: MessageLimits.status) }
        guard words.count == parts.count else { return nil }
        self.init(words.joined(separator: " "))
    }

    /// The status as it is sent.
    public var text: String { ([aspect.rawValue] + extensions).joined(separator: " ") }
}
