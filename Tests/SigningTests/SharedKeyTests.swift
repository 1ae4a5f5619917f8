// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Signing

@Suite struct SharedKeyTests {
    private static let message = Array("pictures and sound".utf8)

    @Test func whoHasTheKeyKnowsTheTag() throws {
        let (one, other) = (try #require(SharedKey(secret: "0123456789abcdef")), SharedKey(secret: "0123456789abcdef"))
        let tag = one.tag(of: Self.message)
        #expect(tag.count == SharedKey.tagOctets)
        #expect(try #require(other).isTag(tag, of: Self.message))
        #expect(one.isTag(one.tag(of: []), of: []))
    }

    @Test func anotherKeyDoesNot() throws {
        let tag = try #require(SharedKey(secret: "0123456789abcdef")).tag(of: Self.message)
        for secret in ["", "0123456789abcdeg", "0123456789abcdef0"] {
            #expect(try #require(SharedKey(secret: secret)).isTag(tag, of: Self.message) == false, "\(secret)")
        }
    }

    @Test func everyChangedBitIsNoticed() throws {
        let key = try #require(SharedKey(secret: "0123456789abcdef"))
        let tag = key.tag(of: Self.message)
        for index in Self.message.indices {
            for bit in 0..<8 {
                var changed = Self.message
                changed[index] ^= 1 << UInt8(bit)
                #expect(!key.isTag(tag, of: changed))
            }
        }
        for index in tag.indices {
            var changed = tag
            changed[index] ^= 1
            #expect(!key.isTag(changed, of: Self.message))
        }
        #expect(!key.isTag([], of: Self.message) && !key.isTag(tag + [0], of: Self.message))
        #expect(!key.isTag(Array(tag.dropLast()), of: Self.message))
    }
}
