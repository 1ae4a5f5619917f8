// SPDX-License-Identifier: Apache-2.0
import FeatureTesting
import Glibc
import Hosting
import JSON
import Journal
import Statistics
import Synchronization
import System
import Testing
import Time
import Venue

@testable import SyslogForwarding

/// The log of a feature's context, sent over loopback.
@Suite struct SyslogForwardingTests {
    /// A collector: a socket of UDP on loopback.
    private final class Collector {
        let socket: Int32
        let port: UInt16

        init() throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let socket = socket
            let isBound = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
                }
            }
            try #require(isBound)
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { close(socket) }

        /// nil if none came.
        func datagram() -> String? {
            var octets = [UInt8](repeating: 0, count: 4_096)
            let count = recv(socket, &octets, octets.count, CInt(MSG_DONTWAIT))
            return count < 0 ? nil : String(decoding: octets[..<count], as: UTF8.self)
        }
    }

    @Test func linesReachTheCollector() throws {
        let collector = try Collector()
        let (follower, statistics) = (LogFollower(), StatisticRegistry())
        let journal = Journal(levels: Journal.Levels(level: .info, subsystems: [:])) { follower.take($0) }
        var context = try FeatureContext.testing(
            of: SyslogForwarding.self,
            settings: ["syslog": ["collector": "127.0.0.1", "port": .integer(Int64(collector.port))]], journal: journal,
            statistics: statistics)
        context.provide(SyslogForwarding.Source(follower: follower, box: "box-1"))
        journal.log(for: "service")(.notice, "before the start", ["why": "a b"])
        let host = try FeatureHost([SyslogForwarding.self], context)
        host.start()
        journal.log(for: "delivery")(.error, "after")
        var lines: [String] = []
        let deadline = SystemClock.monotonic() + .seconds(30)
        while lines.count < 3, SystemClock.monotonic() < deadline {
            try context.loop.turn(atMost: .milliseconds(20))
            while let line = collector.datagram() { lines.append(line) }
        }
        try #require(lines.count == 3)
        #expect(
            lines[0].hasPrefix("<29>1 ")
                && lines[0].hasSuffix(" box-1 touchlined - service - before the start why=\"a b\""))
        #expect(lines[2].hasPrefix("<27>1 ") && lines[2].hasSuffix(" box-1 touchlined - delivery - after"))
        #expect(statistics.snapshot().group("syslog")?.json["sent"] == 3)
        // Without a collector nothing is kept.
        var answered = false
        context.settings.change(.merge(["syslog": ["collector": ""]]), from: .localSocket) { _ in answered = true }
        while !answered { try context.loop.turn(atMost: .milliseconds(20)) }
        journal.log(for: "delivery")(.error, "unheard")
        #expect(follower.drain().lines.isEmpty && collector.datagram() == nil)
        host.stop()
    }

    @Test func tooManyLinesAreLostAndCounted() {
        let follower = LogFollower()
        for number in 0..<600 { follower.take("<6>x: \(number)") }
        let (lines, lost) = follower.drain()
        #expect(lines.count == 512 && lost == 88 && lines[0].text == "<6>x: 0")
        #expect(follower.drain().lost == 0)
    }
}
