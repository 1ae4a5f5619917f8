// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import System
import Venue

/// Asks the kernel which interface its routes choose.
public enum RouteLookup {
    /// - Parameter address: numeric.
    /// - Returns: the interface's index. Without a route a group is at the only interface where it can be. nil if there is
    ///   none, or several.
    public static func interface(toward address: String) -> UInt32? {
        guard let address = NumericAddress(address) else { return nil }
        return route(toward: address) ?? (address.isMulticast ? only(for: address) : nil)
    }

    /// The only interface that is up and has an address of the group's family; a wire goes before a radio. A network for
    /// television alone often has no router, and then no route has its groups.
    private static func only(for group: NumericAddress) -> UInt32? {
        let addressed = Set(
            InterfaceAddress.all().filter { $0.address.isIPv6 == group.isIPv6 }.map(\.interface))
        let able = NetworkInterface.all().filter { $0.isUp && !$0.isLoopback && addressed.contains($0.name) }
        let wires = able.filter { !$0.isWireless }
        let candidates = wires.isEmpty ? able : wires
        return candidates.count == 1 ? DatagramSocket.interfaceIndex(candidates[0].name) : nil
    }

    private static func route(toward address: NumericAddress) -> UInt32? {
        do throws(SystemCallError) {
            let socket = try NetlinkSocket(.route)
            try socket.send(RouteRequest.route(toward: address).octets)
            // The kernel answers before `send` returns, so the reply is already queued.
            guard case .datagram(let bytes) = try socket.receive() else { return nil }
            // What cannot be parsed is no route.
            for case .route(let interface) in (try? NetlinkMessage.parse(bytes)) ?? [] where interface > 0 {
                return interface
            }
            return nil
        } catch {
            return nil  // the caller goes on without an interface
        }
    }
}
