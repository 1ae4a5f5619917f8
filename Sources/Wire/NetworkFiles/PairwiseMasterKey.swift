// SPDX-License-Identifier: Apache-2.0

/// The key that WPA2 makes of a passphrase and the name of the network (IEEE 802.11 §J.4: PBKDF2 of HMAC-SHA-1, 4096
/// rounds, 256 bits).
///
/// The supplicant would make it too, but it takes what follows `"#` in a quoted passphrase for a comment and then refuses
/// the network. libsodium has no SHA-1.
enum PairwiseMasterKey {
    private static let rounds = 4_096

    /// 32 octets.
    static func derived(from passphrase: String, ssid: String) -> [UInt8] {
        let code = MessageCode(key: Array(passphrase.utf8))
        return Array((block(1, code, ssid) + block(2, code, ssid)).prefix(32))
    }

    /// The block of PBKDF2 with this number (RFC 8018 §5.2).
    private static func block(_ number: UInt8, _ code: MessageCode, _ ssid: String) -> [UInt8] {
        var last = code.of(Array(ssid.utf8) + [0, 0, 0, number])
        var sum = last
        for _ in 1..<rounds {
            last = code.of(last)
            for index in sum.indices { sum[index] ^= last[index] }
        }
        return sum
    }
}

/// HMAC-SHA-1 (RFC 2104) with one key for several messages.
struct MessageCode {
    private let inner: SHA1State
    private let outer: SHA1State

    /// - Parameter key: at most 64 octets.
    init(key: [UInt8]) {
        precondition(key.count <= 64)
        let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
        var (inner, outer) = (SHA1State(), SHA1State())
        inner.take(padded.map { $0 ^ 0x36 }[...])
        outer.take(padded.map { $0 ^ 0x5c }[...])
        (self.inner, self.outer) = (inner, outer)
    }

    /// 20 octets.
    func of(_ message: [UInt8]) -> [UInt8] { outer.finished(inner.finished(message, before: 64), before: 64) }
}

/// The state of SHA-1 (RFC 3174) between blocks.
struct SHA1State {
    private var words: (UInt32, UInt32, UInt32, UInt32, UInt32) =
        (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0)

    /// - Parameter block: 64 octets.
    mutating func take(_ block: ArraySlice<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { schedule in
            for index in 0..<16 {
                let at = block.startIndex + index * 4
                schedule[index] = block[at..<(at + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                schedule[index] = Self.rotated(
                    schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16], by: 1)
            }
            var (a, b, c, d, e) = words
            for index in 0..<80 {
                let mixed: UInt32
                switch index {
                case 0..<20: mixed = (b & c | ~b & d) &+ 0x5a82_7999
                case 20..<40: mixed = (b ^ c ^ d) &+ 0x6ed9_eba1
                case 40..<60: mixed = (b & c | b & d | c & d) &+ 0x8f1b_bcdc
                default: mixed = (b ^ c ^ d) &+ 0xca62_c1d6
                }
                let next = Self.rotated(a, by: 5) &+ mixed &+ e &+ schedule[index]
                (a, b, c, d, e) = (next, a, Self.rotated(b, by: 30), c, d)
            }
            words = (words.0 &+ a, words.1 &+ b, words.2 &+ c, words.3 &+ d, words.4 &+ e)
        }
    }

    /// The digest, 20 octets, of what was taken and `rest`.
    /// - Parameter before: the octets that were taken, a multiple of 64.
    func finished(_ rest: [UInt8], before: Int) -> [UInt8] {
        var state = self
        let bits = UInt64(before + rest.count) * 8
        var message = rest + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        for at in stride(from: 0, to: message.count, by: 64) { state.take(message[at..<(at + 64)]) }
        let words = [state.words.0, state.words.1, state.words.2, state.words.3, state.words.4]
        return words.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
