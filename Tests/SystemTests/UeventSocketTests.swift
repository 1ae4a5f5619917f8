// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import System

struct UeventSocketTests {
    /// The kernel says again what it said of a device when that is asked for, which only root may.
    @Test func hearsTheKernel() throws {
        let socket = try UeventSocket()
        let path = "/sys/class/mem/null/uevent"
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else {
            print("SKIPPED: \(path) may not be written here (\(Errno.current)): no uevent was heard")
            return
        }
        defer { close(file) }
        let order = "change 6f1e3a6c-5d0b-4d2e-9a53-1f3f0a6b7c8d SOUGHT=yes"
        guard write(file, order, order.utf8.count) == order.utf8.count else {
            print("SKIPPED: \(path) was refused (\(Errno.current)): no uevent was heard")
            return
        }
        for _ in 0..<200 {
            var events = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&events, 1, 5_000) == 1 else { break }
            let news = try socket.read()
            #expect(!news.isIncomplete)
            guard let event = news.events.first(where: { $0.properties["SYNTH_ARG_SOUGHT"] == "yes" }) else { continue }
            #expect(event.action == .change && event.subsystem == "mem")
            #expect(event.path == "/devices/virtual/mem/null" && event.properties["DEVNAME"] == "null")
            #expect(Hotplug(event) == nil)
            return
        }
        // Heard in the network namespace of the first process only, which a container may not be in.
        print("SKIPPED: the kernel says nothing in this container: no uevent was heard")
    }

    /// Root's programs may send to the kernel's group too; they are not heard.
    @Test func hearsNobodyElse() throws {
        let socket = try UeventSocket()
        let other = try FileDescriptor(
            adopting: syscall("socket") { Glibc.socket(AF_NETLINK, CInt(SOCK_RAW.rawValue), 15) })
        // sockaddr_nl: family, port 0, the kernel's group.
        let address: [UInt32] = [UInt32(UInt16(AF_NETLINK)).littleEndian, 0, 1]
        let lie = UeventTests.screen
        let sent = address.withUnsafeBytes { address in
            sendto(
                other.rawValue, lie, lie.count, 0, address.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(address.count))
        }
        guard sent == lie.count else {
            print("SKIPPED: only root may send uevents (\(Errno.current)): none was refused")
            return
        }
        var events = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        #expect(poll(&events, 1, 5_000) == 1)
        #expect(try socket.read().events.allSatisfy { $0.properties["CONNECTOR"] != "101" })
    }
}
