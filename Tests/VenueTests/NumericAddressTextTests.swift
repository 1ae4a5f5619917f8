// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

struct NumericAddressTextTests {
    /// RFC 5952 §4 and §5.
    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1"), ("::", "::"), ("0:0:0:0:0:0:0:1", "::1"), ("FF02::2:7FFE", "ff02::2:7ffe"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("1:0:0:0:0:0:0:0", "1::"), ("::ffff:c000:201", "::ffff:192.0.2.1"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
    ])
    func writesTheOneForm(text: String, form: String) {
        #expect(NumericAddress(text)?.description == form)
        #expect(NumericAddress(form) == NumericAddress(text))
    }

    @Test func mappedIsThePeerItself() {
        #expect(NumericAddress("::ffff:192.0.2.1")?.unmapped == NumericAddress("192.0.2.1"))
        #expect(NumericAddress("::1")?.unmapped == NumericAddress("::1"))
    }

    @Test(arguments: [
        ("10.0.0.1", true), ("fe80::1", true), ("239.1.1.1", false), ("ff05::1", false), ("0.0.0.0", false),
        ("::", false), ("255.255.255.255", false),
    ])
    func knowsOneHost(text: String, isUnicast: Bool) { #expect(NumericAddress(text)?.isUnicast == isUnicast) }
}
