// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// Addresses and gateways of one interface, and the rules between them.
struct AddressPlan {
    let addresses: [AddressWithPrefix]
    let gateways: [NumericAddress]

    var problems: [Problem] {
        var problems: [Problem] = []
        for (index, address) in addresses.enumerated() {
            if !address.isOfHost {
                problems.append(
                    Problem(
                        path: "/addresses/\(index)", value: .string(address.description),
                        expectation: "the address of one host, not that of its network or of all hosts in it"))
            } else if addresses[..<index].contains(where: { $0.address == address.address }) {
                problems.append(
                    Problem(
                        path: "/addresses/\(index)", value: .string(address.description),
                        expectation: "an address that no other element has"))
            }
        }
        for (index, gateway) in gateways.enumerated() {
            if let expectation = expectation(of: gateway, earlier: gateways[..<index]) {
                problems.append(
                    Problem(
                        path: "/gateways/\(index)", value: .string(gateway.description), expectation: expectation))
            }
        }
        return problems
    }

    /// nil if the gateway is one.
    private func expectation(of gateway: NumericAddress, earlier: ArraySlice<NumericAddress>) -> String? {
        if addresses.isEmpty { return "none, because addresses is []: DHCP names the gateway" }
        if earlier.contains(where: { $0.isIPv6 == gateway.isIPv6 }) { return "at most one of IPv4 and one of IPv6" }
        if gateway.isIPv6, gateway.high >> 54 == 0x3fa {
            let hasIPv6 = addresses.contains { $0.address.isIPv6 }
            return hasIPv6 ? nil : "a gateway of the family of an address"
        }
        if addresses.contains(where: { $0.address == gateway }) { return "another address than that of the box" }
        let isReached = addresses.contains { $0.contains(gateway) && $0.isHost(gateway) }
        return isReached ? nil : "the address of a host in the network of one of addresses"
    }
}
