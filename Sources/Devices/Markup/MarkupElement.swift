// SPDX-License-Identifier: Apache-2.0

/// An element of an XML document, with what is in it. Attributes, comments and instructions are left out.
public struct MarkupElement: Equatable, Sendable {
    public static let longest = 65_536
    public static let deepest = 32
    public static let mostElements = 1_024

    /// URI; empty if there is none.
    public let namespace: String
    /// Without prefix.
    public let name: String
    /// Its own text, without that of its children and without white space around it.
    public internal(set) var text = ""
    public internal(set) var children: [MarkupElement] = []

    public init(_ name: String, namespace: String = "") { (self.name, self.namespace) = (name, namespace) }

    /// The root element of a document, which is read as a whole by Expat.
    /// - Thread: any.
    public init(parsing document: [UInt8]) throws(MarkupError) {
        self = try MarkupParser.root(of: document)
    }

    /// The first child of this name; nil if there is none.
    public func child(_ name: String, namespace: String) -> MarkupElement? {
        children.first { $0.name == name && $0.namespace == namespace }
    }
}
