// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import NetworkFiles

/// What the kernel and the programs of the system say, as captured, cut and damaged.
@Suite struct KernelTablesTests {
    private static let routes = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        wlan0\t00000000\t0102A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
        eth0\t00000000\t0202000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
        eth0\t0002000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0

        """
    private static let neighbours = """
        IP address       HW type     Flags       HW address            Mask     Device
        10.0.2.2         0x1         0x2         52:55:0a:00:02:02     *        eth0
        192.168.2.1      0x1         0x0         00:00:00:00:00:00     *        wlan0

        """

    @Test func theRouterThatAnswers() {
        let routes = DefaultRoutes(Self.routes.utf8).routes
        #expect(routes.map { "\($0.gateway) \($0.interface)" } == ["10.0.2.2 eth0", "192.168.2.1 wlan0"])
        let neighbours = Neighbours(Self.neighbours.utf8)
        #expect(routes.map(neighbours.answers) == [true, false])
    }

    @Test func linesWithNames() {
        let text = KeyValueText("A=1\nno\n=x\nB=\nA=2\nDNS=192.0.2.1 192.0.2.2\nC=a=b".utf8)
        #expect(text["A"] == "1" && text["B"] == nil && text["C"] == "a=b" && text["D"] == nil)
        #expect(text.words("DNS") == ["192.0.2.1", "192.0.2.2"] && text.words("D") == [])
    }

    /// Whatever there is, is read or passed over.
    @Test func damageIsPassedOver() {
        for table in [Self.routes, Self.neighbours] {
            let octets = Array(table.utf8)
            for count in 0...octets.count { _ = (DefaultRoutes(octets[..<count]), Neighbours(octets[..<count])) }
            for seed in 0..<UInt64(Mutation.count(usual: 500)) {
                var mutation = Mutation(seed: seed)
                let damaged = mutation.damage(octets)
                #expect(DefaultRoutes(damaged).routes.count <= 64)
                _ = (Neighbours(damaged), KeyValueText(damaged))
            }
        }
    }
}
