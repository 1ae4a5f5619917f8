// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Ping

/// The feature against the kernel's own replies, in a network of its own.
@Suite(.serialized) struct PingTests {
    private static func ask(_ host: String, count: Int64 = 2) throws -> Result<JSONValue, Status> {
        let context = try FeatureContext.testing()
        let features = try FeatureHost([Ping.self], context)
        defer { features.stop() }
        let request = try CommandRequest(
            CommandDescription(SendPing.self), arguments: ["host": .string(host), "count": .integer(count)])
        var answered: Result<JSONValue, Status>?
        _ = features.handle(request) { answered = $0 }
        let deadline = SystemClock.monotonic() + .seconds(30)
        while answered == nil, SystemClock.monotonic() < deadline { try context.loop.turn(atMost: .milliseconds(20)) }
        return try #require(answered)
    }

    private static func allow() -> Bool { OwnNetwork.shell("echo 0 2147483647 >/proc/sys/net/ipv4/ping_group_range") }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func theKernelAnswers() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.connect() && Self.allow())
            for host in ["127.0.0.1", "::1", "10.0.0.2", "localhost"] {
                let answer = try Self.ask(host).get()
                #expect(PingAnswer.kind.accepts(answer), "\(answer.text())")
                #expect(answer["sent"] == 2 && answer["answered"] == 2, "\(answer.text())")
                #expect((answer["maxMs"]?.number ?? 1_000) < 500, "\(answer.text())")
            }
        }
    }

    /// 10.0.0.9 is nobody's: the kernel's own look-up of its address fails after 3 s, of which the last request sees
    /// nothing. What a filter or a route refuses is told at once.
    @Test(.enabled(if: OwnNetwork.canBeMade)) func whatDoesNotComeHasAReason() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.connect() && Self.allow())
            try #require(
                OwnNetwork.shell(
                    "ip route add unreachable 10.7.0.0/24", "ip route add prohibit 10.8.0.0/24",
                    "ip -6 route add unreachable fd07::/64"))
            let nobody = try Self.ask("10.0.0.9", count: 3).get()
            #expect(nobody["answered"] == 0)
            #expect(nobody.at("/probes/0/outcome") == "host unreachable, says 10.0.0.1", "\(nobody.text())")
            for (host, why) in [
                ("10.7.0.1", "No route to host"), ("10.8.0.1", "Permission denied"), ("fd07::1", "No route to host"),
                ("192.0.2.1", "Network is unreachable"),
            ] {
                guard case .failure(let status) = try Self.ask(host, count: 1) else {
                    Issue.record("\(host) was asked")
                    continue
                }
                #expect(status.errorString.hasPrefix("no echo request can be sent to \(host): "))
                #expect(status.errorString.contains(why), "\(host): \(status.errorString)")
            }
        }
    }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func withoutTheRightItSaysWhich() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up", "echo 1 0 >/proc/sys/net/ipv4/ping_group_range"))
            guard case .failure(let status) = try Self.ask("127.0.0.1") else {
                Issue.record("it was sent")
                return
            }
            #expect(status.errorString.hasSuffix("expected the group of the service in net.ipv4.ping_group_range"))
        }
    }

    @Test(arguments: [
        "224.0.0.1", "0.0.0.0", "255.255.255.255", "ff02::1", "fe80::1%nowhere0", "10.0.0.1%lo", "1.2.3:4",
    ])
    func whatIsNoHostIsRefused(host: String) throws {
        guard case .failure(let status) = try Self.ask(host) else {
            Issue.record("\(host) was asked")
            return
        }
        #expect(status.errorString.hasPrefix("host is \"\(host)\"; expected an address of one host"))
    }

    @Test(arguments: ["", "-c", "a b", "a;b", "$(x)", "ä", "a\n", String(repeating: "a", count: 254)])
    func whatIsNoNameIsNoRequest(host: String) {
        #expect(throws: CommandError.self) {
            try CommandRequest(CommandDescription(SendPing.self), arguments: ["host": .string(host)])
        }
    }

    @Test(arguments: [0, 21, -1] as [Int64]) func countsHaveBounds(count: Int64) {
        #expect(throws: CommandError.self) {
            try CommandRequest(
                CommandDescription(SendPing.self), arguments: ["host": "::1", "count": .integer(count)])
        }
    }

    /// A name that nobody knows, and many at once.
    @Test func aNameIsLookedUpAsideAndMayFail() throws {
        guard case .failure(let status) = try Self.ask("nobody.invalid") else {
            Issue.record("it was found")
            return
        }
        #expect(status.errorString.hasPrefix("nobody.invalid "), "\(status.errorString)")
    }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func fourRunAtATime() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up") && Self.allow())
            let context = try FeatureContext.testing()
            let features = try FeatureHost([Ping.self], context)
            let request = try CommandRequest(
                CommandDescription(SendPing.self), arguments: ["host": "127.0.0.1", "count": 2])
            var answers: [Result<JSONValue, Status>] = []
            for _ in 0..<6 { _ = features.handle(request) { answers.append($0) } }
            #expect(answers.map { "\($0)".contains("4 pings run already") } == [true, true])
            let deadline = SystemClock.monotonic() + .seconds(10)
            while answers.count < 6, SystemClock.monotonic() < deadline {
                try context.loop.turn(atMost: .milliseconds(20))
            }
            let answered = answers.compactMap { try? $0.get()["answered"] }
            #expect(answered == [2, 2, 2, 2], "each has its own replies")
            _ = features.handle(request) { answers.append($0) }
            features.stop()
            #expect("\(answers.last ?? .success(.null))".contains("the answer was lost"))
        }
    }
}
