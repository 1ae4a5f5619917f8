// SPDX-License-Identifier: Apache-2.0

/// Recursive-descent parser over borrowed bytes. Every step either advances or throws.
struct JSONParser {
    private let bytes: UnsafeRawBufferPointer
    private let limits: JSONLimits
    private var offset = 0
    private var depth = 0
    private var valueCount = 0

    init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func parseText() throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.maximumOctets else {
            throw JSONError(.tooLong(limit: limits.maximumOctets), at: 0)
        }
        let value = try parseValue()
        skipWhitespace()
        if let octet = next { throw JSONError(.unexpected(octet: octet, expected: "the end"), at: offset) }
        return value
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhitespace() {
        while let octet = next, octet == 0x20 || octet == 0x0a || octet == 0x0d || octet == 0x09 { offset += 1 }
    }

    private func failure(expected: String) -> JSONError {
        guard let next else { return JSONError(.truncated(expected: expected), at: offset) }
        return JSONError(.unexpected(octet: next, expected: expected), at: offset)
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        skipWhitespace()
        valueCount += 1
        guard valueCount <= limits.maximumValues else {
            throw JSONError(.tooManyValues(limit: limits.maximumValues), at: offset)
        }
        guard let first = next else { throw failure(expected: "a value") }
        switch first {
        case UInt8(ascii: "{"): return .object(try parseObject())
        case UInt8(ascii: "["): return .array(try parseArray())
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parse(word: "true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse(word: "false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse(word: "null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: throw failure(expected: "a value")
        }
    }

    private mutating func parse(word: StaticString, as value: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else { throw failure(expected: "'\(word)'") }
            offset += 1
        }
        return value
    }

    // MARK: Containers

    private mutating func enter() throws(JSONError) {
        guard depth < limits.maximumDepth else {
            throw JSONError(.tooDeep(limit: limits.maximumDepth), at: offset)
        }
        depth += 1
        offset += 1
        skipWhitespace()
    }

    private mutating func leave() {
        depth -= 1
        offset += 1
    }

    private mutating func parseArray() throws(JSONError) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        if next != UInt8(ascii: "]") {
            while true {
                do throws(JSONError) {
                    elements.append(try parseValue())
                } catch {
                    throw error.inside(String(elements.count))
                }
                skipWhitespace()
                if next == UInt8(ascii: "]") { break }
                guard next == UInt8(ascii: ",") else { throw failure(expected: "',' or ']'") }
                offset += 1
            }
        }
        leave()
        return elements
    }

    private mutating func parseObject() throws(JSONError) -> [String: JSONValue] {
        try enter()
        var members: [String: JSONValue] = [:]
        if next != UInt8(ascii: "}") {
            while true {
                try parseMember(into: &members)
                skipWhitespace()
                if next == UInt8(ascii: "}") { break }
                guard next == UInt8(ascii: ",") else { throw failure(expected: "',' or '}'") }
                offset += 1
                skipWhitespace()
            }
        }
        leave()
        return members
    }

    private mutating func parseMember(into members: inout [String: JSONValue]) throws(JSONError) {
        let start = offset
        guard next == UInt8(ascii: "\"") else { throw failure(expected: "a key in '\"'") }
        let key = try parseString()
        do throws(JSONError) {
            guard members[key] == nil else { throw JSONError(.duplicateKey(key), at: start) }
            skipWhitespace()
            guard next == UInt8(ascii: ":") else { throw failure(expected: "':'") }
            offset += 1
            members[key] = try parseValue()
        } catch {
            throw error.inside(JSONValue.pointerToken(key))
        }
    }

    // MARK: Numbers

    private mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = offset
        var isInteger = true
        if next == UInt8(ascii: "-") { offset += 1 }
        if next == UInt8(ascii: "0") {
            offset += 1  // a digit after it is refused by the caller
        } else {
            try skipDigits()
        }
        if next == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            try skipDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            try skipDigits()
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
        if isInteger {
            guard let value = Int64(text) else { throw JSONError(.numberOutOfRange, at: start) }
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else { throw JSONError(.numberOutOfRange, at: start) }
        return .number(value)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = offset
        while let octet = next, (0x30...0x39).contains(octet) { offset += 1 }
        guard offset > start else { throw failure(expected: "a digit") }
    }

    // MARK: Strings

    private mutating func parseString() throws(JSONError) -> String {
        offset += 1
        var decoded: [UInt8] = []
        var plainStart = offset
        while true {
            guard let octet = next else { throw failure(expected: "'\"'") }
            switch octet {
            case UInt8(ascii: "\""):
                let plain = UnsafeRawBufferPointer(rebasing: bytes[plainStart..<offset])
                offset += 1
                guard !decoded.isEmpty else { return String(decoding: plain, as: UTF8.self) }
                decoded.append(contentsOf: plain)
                return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                decoded.append(contentsOf: bytes[plainStart..<offset])
                offset += 1
                try parseEscape(into: &decoded)
                plainStart = offset
            case 0..<0x20: throw JSONError(.controlCharacter(octet), at: offset)
            case 0x20..<0x80: offset += 1
            default: try skipMultibyteScalar(leading: octet)
            }
        }
    }

    /// Skips a scalar of well-formed UTF-8 (Unicode table 3-7): no overlong form, no surrogate, nothing above U+10FFFF.
    private mutating func skipMultibyteScalar(leading: UInt8) throws(JSONError) {
        let second: ClosedRange<UInt8>
        let count: Int
        switch leading {
        case 0xc2...0xdf: (second, count) = (0x80...0xbf, 2)
        case 0xe0: (second, count) = (0xa0...0xbf, 3)
        case 0xed: (second, count) = (0x80...0x9f, 3)
        case 0xe1...0xef: (second, count) = (0x80...0xbf, 3)
        case 0xf0: (second, count) = (0x90...0xbf, 4)
        case 0xf1...0xf3: (second, count) = (0x80...0xbf, 4)
        case 0xf4: (second, count) = (0x80...0x8f, 4)
        default: throw JSONError(.invalidUTF8, at: offset)
        }
        guard bytes.count - offset >= count, second.contains(bytes[offset + 1]),
            bytes[(offset + 2)..<(offset + max(count, 2))].allSatisfy({ (0x80...0xbf).contains($0) })
        else { throw JSONError(.invalidUTF8, at: offset) }
        offset += count
    }

    private mutating func parseEscape(into decoded: inout [UInt8]) throws(JSONError) {
        guard let octet = next else { throw failure(expected: "an escape") }
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(octet)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0c)
        case UInt8(ascii: "n"): decoded.append(0x0a)
        case UInt8(ascii: "r"): decoded.append(0x0d)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            try parseUnicodeEscape(into: &decoded)
            return
        default: throw failure(expected: "one of \"\\/bfnrtu")
        }
        offset += 1
    }

    private mutating func parseUnicodeEscape(into decoded: inout [UInt8]) throws(JSONError) {
        let start = offset - 1
        var code = try parseCodeUnit()
        if (0xd800...0xdfff).contains(code) {
            guard code < 0xdc00, next == UInt8(ascii: "\\") else { throw JSONError(.loneSurrogate, at: start) }
            offset += 1
            guard next == UInt8(ascii: "u") else { throw JSONError(.loneSurrogate, at: start) }
            let low = try parseCodeUnit()
            guard (0xdc00...0xdfff).contains(low) else { throw JSONError(.loneSurrogate, at: start) }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw JSONError(.loneSurrogate, at: start) }
        decoded.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }

    /// Parses the `uXXXX` of an escape.
    private mutating func parseCodeUnit() throws(JSONError) -> UInt32 {
        offset += 1
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let octet = next, let digit = Character(Unicode.Scalar(octet)).hexDigitValue else {
                throw failure(expected: "four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            offset += 1
        }
        return code
    }
}
