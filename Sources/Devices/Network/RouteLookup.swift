// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import NetlinkMessages
import System

/// Asks the kernel which interface its routes choose.
public enum RouteLookup {
    /// - Parameter address: numeric.
    /// - Returns: the interface's index; nil if there is no route or rtnetlink is unavailable.
    public static func interface(toward address: String) -> UInt32? {
        // Without an answer the caller goes on without an interface.
        guard let opened = try? syscall("netlink socket", { touchline_netlink_open(0) }) else { return nil }
        let descriptor = FileDescriptor(adopting: opened)
        guard touchline_netlink_route(descriptor.rawValue, address) == 0 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 4) { memory in
            // The kernel answers before `send` returns, so the reply is already queued.
            let count = touchline_netlink_receive(descriptor.rawValue, memory.baseAddress, memory.count)
            guard count > 0,
                let messages = try? NetlinkMessage.parse(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            else { return nil }
            for case .route(let interface) in messages where interface > 0 { return interface }
            return nil
        }
    }
}
