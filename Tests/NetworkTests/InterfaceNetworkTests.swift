// SPDX-License-Identifier: Apache-2.0
import Network
import Testing
import Venue

@Suite struct InterfaceNetworkTests {
    @Test(
        arguments: [
            ("192.0.2.7", 24, "192.0.2.255", true), ("192.0.2.7", 24, "192.0.3.1", false),
            ("10.0.0.1", 32, "10.0.0.1", true), ("10.0.0.1", 32, "10.0.0.0", false),
            ("10.0.0.1", 0, "203.0.113.9", true), ("10.0.0.1", 31, "10.0.0.2", false),
            ("10.0.0.1", 8, "::ffff:10.0.0.1", false),
        ] as [(String, Int, String, Bool)])
    func whatIsInANetwork(address: String, length: Int, other: String, isInside: Bool) throws {
        let network = InterfaceNetwork("eth0", try #require(NumericAddress(address)), prefixLength: length)
        #expect(network.contains(try #require(NumericAddress(other))) == isInside)
    }

    @Test func loopbackHasItsNetwork() throws {
        let loopback = try #require(NumericAddress("127.0.0.1"))
        #expect(InterfaceNetwork.all(of: "lo").contains(InterfaceNetwork("lo", loopback, prefixLength: 8)))
        #expect(InterfaceNetwork.all(of: "none0").isEmpty)
    }
}
