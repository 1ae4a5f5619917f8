// SPDX-License-Identifier: Apache-2.0
import Network
import NetworkFiles
import System
import Time

/// Whether the router answers through which the box reaches everything that is not in its own network. A wrong address
/// or a wrong VLAN shows by it, even where multicast still arrives.
struct GatewayWatch {
    /// How often the kernel is made to ask for the router's address.
    private static let pause = Nanoseconds.seconds(5)
    /// RFC 863: what comes there is thrown away.
    private static let discardPort: UInt16 = 9

    private var nextQuestion = Monotonic(nanoseconds: 0)
    /// nil while there is no default route.
    private(set) var answers: Bool?
    private(set) var routes: [DefaultRoutes.Route] = []

    /// Reads what the kernel knows. To be called once a second.
    /// - Parameter isUrgent: whether the kernel is made to ask each time.
    mutating func observe(at now: Monotonic, isUrgent: Bool) {
        routes = DefaultRoutes((try? DurableFile.read("/proc/net/route")) ?? []).routes  // a sandbox may hide it
        guard !routes.isEmpty else {
            answers = nil
            return
        }
        let neighbours = Neighbours((try? DurableFile.read("/proc/net/arp")) ?? [])  // as above
        answers = routes.contains(where: neighbours.answers)
        guard isUrgent || now >= nextQuestion else { return }
        nextQuestion = now + Self.pause
        for route in routes.prefix(4) {
            let address = route.gateway.description
            // A datagram that is lost is as good as one that arrives: the kernel has asked who has the address.
            guard let socket = try? SendingSocket(to: address, port: Self.discardPort, hops: 1) else { continue }
            _ = [UInt8(0)].withUnsafeBytes { octets in
                Result { () throws(SystemCallError) in try socket.send(octets) }
            }
        }
    }
}
