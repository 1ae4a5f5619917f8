// SPDX-License-Identifier: Apache-2.0
import System
import Testing

struct NetworkInterfaceTests {
    @Test func loopbackIsUp() throws {
        let loopback = try #require(NetworkInterface.all().first { $0.name == "lo" })
        #expect(loopback.isUp && !loopback.isWireless && !loopback.isHardware)
        #expect(Set(NetworkInterface.all().map(\.name)).count == NetworkInterface.all().count)
    }
}
