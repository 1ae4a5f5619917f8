// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import System

struct UeventSocketTests {
    /// A socket for uevents (netlink(7), `NETLINK_KOBJECT_UEVENT`) that is not the one under test.
    private static func plainSocket() throws -> FileDescriptor {
        try FileDescriptor(adopting: syscall("socket") { Glibc.socket(AF_NETLINK, CInt(SOCK_RAW.rawValue), 15) })
    }

    /// sockaddr_nl: family, port 0, the kernel's group.
    private static func withKernelsGroup<Answer>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
        var address: (UInt32, UInt32, UInt32) = (UInt32(UInt16(AF_NETLINK)).littleEndian, 0, 1)
        return withUnsafeMutableBytes(of: &address) { octets in
            octets.withMemoryRebound(to: sockaddr.self) { addresses in
                guard let first = addresses.baseAddress else { preconditionFailure("twelve octets have a place") }
                return body(UnsafePointer(first), socklen_t(octets.count))
            }
        }
    }

    /// The kernel says again what it said of a device when that is asked for, which only root may.
    private static func ask() -> Bool {
        let file = open("/sys/class/mem/null/uevent", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let order = "change 6f1e3a6c-5d0b-4d2e-9a53-1f3f0a6b7c8d SOUGHT=yes"
        return write(file, order, order.utf8.count) == order.utf8.count
    }

    /// Whether the kernel's uevents come here at all: they go to the network namespaces of the first user namespace only.
    private static let areSent: Bool = {
        guard let plain = try? plainSocket() else { return false }  // nothing to hear with
        let isBound = withKernelsGroup { bind(plain.rawValue, $0, $1) } == 0
        guard isBound, ask() else { return false }
        var events = pollfd(fd: plain.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&events, 1, 2_000) == 1
    }()

    @Test(.enabled(if: areSent, "the kernel sends no uevents to this user or container")) func hearsTheKernel() throws {
        let socket = try UeventSocket()
        #expect(Self.ask())
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
        Issue.record("the kernel's answer was not heard")
    }

    /// Root's programs may send to the kernel's group too; they are not heard.
    @Test(.enabled(if: getuid() == 0, "only root may send uevents")) func hearsNobodyElse() throws {
        let socket = try UeventSocket()
        let other = try Self.plainSocket()
        let lie = UeventTests.screen
        let sent = Self.withKernelsGroup { sendto(other.rawValue, lie, lie.count, 0, $0, $1) }
        #expect(sent == lie.count, "\(Errno.current)")
        var events = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        #expect(poll(&events, 1, 5_000) == 1)
        #expect(try socket.read().events.allSatisfy { $0.properties["CONNECTOR"] != "101" })
    }
}
