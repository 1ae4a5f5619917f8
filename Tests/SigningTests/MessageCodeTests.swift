// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Signing

@Suite struct MessageCodeTests {
    private static func hexadecimal(_ octets: [UInt8]?) -> String {
        (octets ?? []).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// RFC 4231 §4.2, §4.3 and §4.7, whose key is longer than a block.
    @Test func rfc4231() {
        let first = MessageCode.octets(of: Array("Hi There".utf8), secret: [UInt8](repeating: 0x0b, count: 20))
        #expect(Self.hexadecimal(first) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let second = MessageCode.octets(of: Array("what do ya want for nothing?".utf8), secret: Array("Jefe".utf8))
        #expect(Self.hexadecimal(second) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let text = "Test Using Larger Than Block-Size Key - Hash Key First"
        let sixth = MessageCode.octets(of: Array(text.utf8), secret: [UInt8](repeating: 0xaa, count: 131))
        #expect(Self.hexadecimal(sixth) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }
}
