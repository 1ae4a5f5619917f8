// SPDX-License-Identifier: Apache-2.0
import Glibc

extension TCPListener {
    /// Answers only clients on the networks of the interfaces: the kernel sends nothing to a gateway, so that nobody behind
    /// one gets a connection.
    public func stayOnLink() throws(SystemCallError) {
        var isOn: CInt = 1
        for descriptor in descriptors {
            _ = try syscall("setsockopt SO_DONTROUTE") {
                setsockopt(descriptor, SOL_SOCKET, SO_DONTROUTE, &isOn, socklen_t(MemoryLayout<CInt>.size))
            }
        }
    }
}
