// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Enrolling

@Suite struct BoxCredentialTests {
    @Test func itGoesToWhoeverGaveItAlone() {
        let credential = BoxCredential()
        let orders = "https://reporter.example/v1/boxes/b-1/order?wait=25"
        #expect(credential.bearer(for: orders) == nil)
        credential.publish("tlc-1", of: "https://reporter.example")
        #expect(credential.bearer(for: orders) == "tlc-1")
        for other in [
            "https://reporter.example.org/v1/boxes/b-1/order", "http://reporter.example/v1/boxes/b-1/order",
            "https://reporter.example:8443/v1/boxes/b-1/order", "https://reporter.example@evil.example/v1/boxes",
            "https://reporter.example/other/v1/boxes", "https://evil.example/https://reporter.example/v1/",
        ] {
            #expect(credential.bearer(for: other) == nil, "\(other)")
        }
        credential.publish(nil, of: "https://reporter.example")
        #expect(credential.bearer(for: orders) == nil)
    }
}
