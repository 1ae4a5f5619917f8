// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import System
import Venue

/// Asks the kernel which interface its routes choose.
public enum RouteLookup {
    /// - Parameter address: numeric.
    /// - Returns: the interface's index; nil if there is no route or rtnetlink is unavailable.
    public static func interface(toward address: String) -> UInt32? {
        guard let address = NumericAddress(address) else { return nil }
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
