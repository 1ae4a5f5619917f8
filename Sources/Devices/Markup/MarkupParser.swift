// SPDX-License-Identifier: Apache-2.0
import CLibExpat

/// What Expat's callbacks build.
final class MarkupParser {
    /// Between namespace and name, as no URI has it.
    private static let separator = " "

    private var stack: [MarkupElement] = []
    private var root: MarkupElement?
    private var count = 0
    /// Ends the parse with its cause.
    private var failure: MarkupError?
    private let parser: OpaquePointer

    private init(_ parser: OpaquePointer) { self.parser = parser }

    static func root(of document: [UInt8]) throws(MarkupError) -> MarkupElement {
        guard document.count <= MarkupElement.longest else { throw .tooLong(limit: MarkupElement.longest) }
        guard let parser = XML_ParserCreateNS(nil, XML_Char(bitPattern: UInt8(ascii: " "))) else {
            preconditionFailure("no memory for an XML parser")
        }
        defer { XML_ParserFree(parser) }
        let building = MarkupParser(parser)
        // The callbacks are called within XML_Parse only, and `building` lives longer than that.
        XML_SetUserData(parser, Unmanaged.passUnretained(building).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, _ in MarkupParser.at(context)?.begin(name.map { String(cString: $0) } ?? "") },
            { context, _ in MarkupParser.at(context)?.end() })
        XML_SetCharacterDataHandler(parser) { context, text, octets in
            let text = UnsafeRawBufferPointer(start: text, count: Int(octets))
            MarkupParser.at(context)?.append(String(decoding: text, as: UTF8.self))
        }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            MarkupParser.at(context)?.fail(.documentType)
        }
        let status = document.withUnsafeBytes { bytes in
            XML_Parse(parser, bytes.assumingMemoryBound(to: CChar.self).baseAddress, CInt(bytes.count), 1)
        }
        if let failure = building.failure { throw failure }
        guard status == XML_STATUS_OK, let root = building.root else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no element"
            throw .malformed(reason: reason, octet: max(0, Int(tl_expat_byte_index(parser))))
        }
        return withExtendedLifetime(building) { root }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> MarkupParser? {
        context.map { Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private func fail(_ error: MarkupError) {
        guard failure == nil else { return }
        failure = error
        XML_StopParser(parser, 0)
    }

    /// - Parameter name: with its namespace.
    private func begin(_ name: String) {
        count += 1
        guard count <= MarkupElement.mostElements else {
            return fail(.tooManyElements(limit: MarkupElement.mostElements))
        }
        guard stack.count < MarkupElement.deepest else { return fail(.tooDeep(limit: MarkupElement.deepest)) }
        let parts = name.split(separator: Self.separator, maxSplits: 1)
        stack.append(
            parts.count == 2 ? MarkupElement(String(parts[1]), namespace: String(parts[0])) : MarkupElement(name))
    }

    private func append(_ text: String) {
        guard failure == nil, !stack.isEmpty else { return }
        stack[stack.count - 1].text += text
    }

    private func end() {
        guard failure == nil, var element = stack.popLast() else { return }
        element.text = Self.trimmed(element.text)
        if stack.isEmpty { root = element } else { stack[stack.count - 1].children.append(element) }
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        var rest = text.unicodeScalars[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }
}
