// SPDX-License-Identifier: Apache-2.0

/// Reads keys from the octets of a terminal: UTF-8, control characters, and the escape sequences that terminals send for
/// keys (ECMA-48 5.4). It takes any octets. What is no key, such as noise on the line, is passed over and counted.
public struct KeyReader: Sendable {
    private enum State: Sendable {
        case ground
        /// Behind ESC.
        case escape
        /// Behind ESC O: one octet follows.
        case singleShift
        /// Within ESC [ …, with its parameters so far.
        case sequence([UInt8])
        /// Within a longer UTF-8 form: its value so far, the octets that are missing, and the least value of such a form.
        case scalar(value: UInt32, missing: Int, least: UInt32)
    }

    /// No terminal sends longer ones.
    private static let longestSequence = 32

    private var state = State.ground
    /// Whether the octet before was a carriage return: a line feed or NUL behind it belongs to it.
    private var isBehindReturn = false
    /// Octets that were no part of a key.
    public private(set) var strayOctets: UInt64 = 0

    public init() {}

    /// - Returns: the key that this octet completes; nil if it completes none.
    public mutating func take(_ octet: UInt8) -> TerminalKey? {
        // A control character ends whatever sequence it comes into, and counts by itself.
        if octet < 0x20 || octet == 0x7f, case .escape = state, octet == 0x7f || octet == 0x08 {
            state = .ground
            return .removeWordLeft
        }
        if octet < 0x20 || octet == 0x7f { return control(octet) }
        isBehindReturn = false
        switch state {
        case .ground: return ground(octet)
        case .escape: return escape(octet)
        case .singleShift:
            state = .ground
            return counted(Self.cursorKey(octet))
        case .sequence(let parameters): return sequence(parameters, octet)
        case .scalar(let value, let missing, let least): return scalar(value, missing, least, octet)
        }
    }

    private mutating func control(_ octet: UInt8) -> TerminalKey? {
        if case .ground = state {} else { strayOctets += 1 }
        state = .ground
        defer { isBehindReturn = octet == 0x0d }
        switch octet {
        case 0x1b:
            state = .escape
            return nil
        case 0x0a where isBehindReturn: return nil
        case 0x0d, 0x0a: return .enter
        case 0x09: return .tab
        case 0x08, 0x7f: return .backspace
        case 0x00: return nil  // a break of the line arrives as NUL
        default: return .control(Unicode.Scalar(octet + 0x40))
        }
    }

    private mutating func ground(_ octet: UInt8) -> TerminalKey? {
        switch octet {
        case 0x20..<0x7f: return .text(Unicode.Scalar(octet))
        case 0xc2..<0xe0: state = .scalar(value: UInt32(octet & 0x1f), missing: 1, least: 0x80)
        case 0xe0..<0xf0: state = .scalar(value: UInt32(octet & 0x0f), missing: 2, least: 0x800)
        case 0xf0..<0xf5: state = .scalar(value: UInt32(octet & 0x07), missing: 3, least: 0x1_0000)
        default: strayOctets += 1
        }
        return nil
    }

    private mutating func scalar(_ value: UInt32, _ missing: Int, _ least: UInt32, _ octet: UInt8) -> TerminalKey? {
        guard octet & 0xc0 == 0x80 else {
            strayOctets += 1
            state = .ground
            return ground(octet)
        }
        let value = value << 6 | UInt32(octet & 0x3f)
        guard missing == 1 else {
            state = .scalar(value: value, missing: missing - 1, least: least)
            return nil
        }
        state = .ground
        // The C1 controls are no text.
        guard value >= least, value >= 0xa0, let scalar = Unicode.Scalar(value) else { return counted(nil) }
        return .text(scalar)
    }

    private mutating func escape(_ octet: UInt8) -> TerminalKey? {
        state = .ground
        switch octet {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "b"): return .wordLeft
        case UInt8(ascii: "f"): return .wordRight
        case UInt8(ascii: "d"): return .removeWordRight
        default:
            // Escape alone, and another key behind it.
            strayOctets += 1
            return ground(octet)
        }
        return nil
    }

    private mutating func sequence(_ parameters: [UInt8], _ octet: UInt8) -> TerminalKey? {
        switch octet {
        case 0x20..<0x40:
            guard parameters.count < Self.longestSequence else { break }
            state = .sequence(parameters + [octet])
            return nil
        case 0x40..<0x7f:
            state = .ground
            return counted(Self.key(parameters, octet))
        default: break
        }
        strayOctets += 1
        state = .ground
        return ground(octet)
    }

    private static func key(_ parameters: [UInt8], _ final: UInt8) -> TerminalKey? {
        let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").map(String.init)
        let isModified = numbers.count == 2
        switch (final, numbers.first) {
        case (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): return .home
        case (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): return .end
        case (UInt8(ascii: "~"), "3"): return .delete
        case (UInt8(ascii: "C"), _) where isModified: return .wordRight
        case (UInt8(ascii: "D"), _) where isModified: return .wordLeft
        default: return cursorKey(final)
        }
    }

    private static func cursorKey(_ final: UInt8) -> TerminalKey? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: nil
        }
    }

    private mutating func counted(_ key: TerminalKey?) -> TerminalKey? {
        if key == nil { strayOctets += 1 }
        return key
    }
}
