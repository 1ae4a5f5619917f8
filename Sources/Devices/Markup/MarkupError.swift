// SPDX-License-Identifier: Apache-2.0

/// Why octets are not an XML document that is read.
public enum MarkupError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not well-formed, or in an encoding that is not read.
    /// - Parameter reason: Expat's word.
    case malformed(reason: String, octet: Int)
    /// A document type declaration. What it could declare, entities that grow, no message needs.
    case documentType
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    case tooManyElements(limit: Int)

    public var description: String {
        switch self {
        case .malformed(let reason, let octet): "not XML at octet \(octet): \(reason)"
        case .documentType: "XML with a document type declaration is not read"
        case .tooLong(let limit): "XML of more than \(limit) octets is not read"
        case .tooDeep(let limit): "XML with more than \(limit) elements within one another is not read"
        case .tooManyElements(let limit): "XML with more than \(limit) elements is not read"
        }
    }
}
