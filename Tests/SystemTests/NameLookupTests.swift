// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Testing

@testable import System

struct NameLookupTests {
    private static let hosts: [(String, String?)] = [
        ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("2001:DB8:0:0::1", "2001:db8::1"), ("fe80::1%lo", "fe80::1%lo"),
        ("localhost", nil), ("", nil), ("1.2.3.4.5", nil), ("[::1]", nil),
    ]

    @Test(arguments: hosts)
    func numericHostsAreTold(host: String, expected: String?) { #expect(NameLookup.numeric(host) == expected) }

    @Test func namesAreLookedUpElsewhere() throws {
        final class Result: Sendable {
            let addresses = Mutex<[String]>([])
        }
        let result = Result()
        let ended = DispatchSemaphore(value: 0)
        try NameLookup.start("localhost") { addresses in
            result.addresses.withLock { $0 = addresses }
            ended.signal()
        }
        #expect(ended.wait(timeout: .now() + 20) == .success)
        let addresses = result.addresses.withLock { $0 }
        #expect(!addresses.isEmpty && addresses.allSatisfy { ["127.0.0.1", "::1"].contains($0) }, "\(addresses)")
    }
}
