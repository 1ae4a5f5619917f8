// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import System

/// Which interface the kernel's routes choose.
public enum RouteLookup {
    /// - Parameter address: numeric.
    /// - Returns: its index; nil when no route leads there, or nobody answers.
    public static func interface(toward address: String) -> UInt32? {
        // Whoever asks goes on without an answer.
        guard let opened = try? syscall("netlink socket", { touchline_netlink_open(0) }) else { return nil }
        let descriptor = FileDescriptor(adopting: opened)
        guard touchline_netlink_route(descriptor.rawValue, address) == 0 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 4) { memory in
            // The kernel has answered before `send` returned.
            let count = touchline_netlink_receive(descriptor.rawValue, memory.baseAddress, memory.count)
            guard count > 0,
                let messages = try? NetlinkMessage.parse(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            else { return nil }
            for case .route(let interface) in messages where interface > 0 { return interface }
            return nil
        }
    }
}
