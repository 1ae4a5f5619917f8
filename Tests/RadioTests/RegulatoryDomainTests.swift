// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing

struct RegulatoryDomainTests {
    @Test(arguments: ["DE", "00", "98", "99", "#a", "X2"]) func takes(alpha2: String) {
        #expect(RegulatoryDomain(alpha2: alpha2)?.alpha2 == alpha2)
    }

    @Test(arguments: ["", "D", "DEU", "D ", "\u{e9}", "D\n", "\u{0}\u{0}", "D\u{7f}"]) func refuses(alpha2: String) {
        #expect(RegulatoryDomain(alpha2: alpha2) == nil)
    }
}
