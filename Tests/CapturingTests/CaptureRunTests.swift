// SPDX-License-Identifier: Apache-2.0
import NetworkPlan
import PacketCaptures
import Synchronization
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Capturing

/// A capture on a wire of its own, in a network of its own.
@Suite(.serialized) struct CaptureRunTests {
    private static func request(
        _ interface: String, _ filter: CaptureFilter = CaptureFilter(), snap: Int = 262
    ) throws -> CaptureRequest {
        CaptureRequest(interface: try #require(InterfaceName(interface)), filter: filter, snap: snap)
    }

    private static func wait(_ run: CaptureRun, _ holds: (CaptureRun.Shown) -> Bool) -> CaptureRun.Shown {
        let deadline = SystemClock.monotonic() + .seconds(20)
        var shown = run.shown
        let pause = try? DescriptorWait()
        while !holds(shown), SystemClock.monotonic() < deadline {
            _ = pause?.wait(for: [], until: SystemClock.monotonic() + .milliseconds(10))
            shown = run.shown
        }
        return shown
    }

    private static func isOver(_ shown: CaptureRun.Shown) -> Bool {
        if case .ended = shown.phase { true } else { false }
    }

    private static let traffic = """
        from socket import *
        sender = socket(AF_INET, SOCK_DGRAM)
        sender.bind(("10.0.0.2", 0))
        sender.setsockopt(IPPROTO_IP, IP_MULTICAST_IF, inet_aton("10.0.0.2"))
        for _ in range(3): sender.sendto(bytes(200), ("239.9.9.9", 5004))
        sender.setsockopt(SOL_SOCKET, SO_BINDTODEVICE, b"venue0")
        sender.sendto(b"x", ("10.0.0.77", 5004))
        """

    @Test(.enabled(if: OwnNetwork.canBeMade)) func whatTheInterfaceSendsAndHearsIsKept() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.connect())
            let changes = Mutex(0)
            let plan = CaptureRun.Plan(
                try Self.request("box0", CaptureFilter(address: NumericAddress("10.0.0.2")), snap: 64), seconds: 60,
                capacity: 1 << 16, helper: "/nowhere")
            let run = try CaptureRun(plan) { changes.withLock { $0 += 1 } }
            let begun = Self.wait(run) { $0.phase != .opening }
            #expect(begun.phase == .running && begun.fileOctets == 24)
            // What one of the two interfaces sends and the other hears, and an ARP for somebody who is not there.
            try #require(OwnNetwork.shell("python3 -c '\(Self.traffic)'"))
            let heard = Self.wait(run) { $0.heard >= 4 }
            #expect(heard.heard >= 4 && heard.dropped == 0 && heard.kept == heard.heard)
            run.stop()
            let ended = Self.wait(run, Self.isOver)
            run.end()
            #expect(ended.phase == .ended(problem: nil) && changes.withLock { $0 } == 2)
            #expect(ended.file.count == ended.fileOctets && ended.file.prefix(4) == [0xa1, 0xb2, 0x3c, 0x4d])
            let records = try CaptureRecord.all(in: ended.file)
            #expect(records.count == ended.kept && records.allSatisfy { $0.frame.count <= 64 })
            // 14 of Ethernet, 20 of IP, 8 of UDP and 200.
            #expect(records.contains { $0.length == 242 && $0.frame.count == 64 })
            #expect(records.contains { $0.length == 42 && $0.frame[12..<14] == [0x08, 0x06] }, "ARP")
        }
    }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func itEndsByItself() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up"))
            let plan = CaptureRun.Plan(try Self.request("lo"), seconds: 1, capacity: 100, helper: "/nowhere")
            let began = SystemClock.monotonic()
            let run = try CaptureRun(plan) {}
            let ended = Self.wait(run, Self.isOver)
            run.end()
            let took = SystemClock.monotonic() - began
            #expect(ended.phase == .ended(problem: nil) && took >= .milliseconds(900) && took < .seconds(10))
        }
    }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func whatCannotBeCapturedHasAReason() throws {
        try OwnNetwork.run {
            try #require(
                OwnNetwork.shell("ip link set lo up", "ip tuntap add dev tun7 mode tun", "ip link set tun7 up"))
            for (name, why) in [("nowhere0", "No such device"), ("tun7", "and not Ethernet's")] {
                let plan = CaptureRun.Plan(try Self.request(name), seconds: 1, capacity: 100, helper: "/nowhere")
                let run = try CaptureRun(plan) {}
                let ended = Self.wait(run, Self.isOver)
                run.end()
                guard case .ended(let problem?) = ended.phase else {
                    Issue.record("\(name) was captured")
                    continue
                }
                #expect(problem.errorString.contains(why) && ended.file.isEmpty, "\(problem.errorString)")
            }
        }
    }

    @Test func withoutARightAndAHelperItSaysWhichIsMissing() throws {
        let plan = CaptureRun.Plan(
            try Self.request("lo"), seconds: 1, capacity: 100, helper: "/nowhere/capture.sock", asksHelper: true)
        let run = try CaptureRun(plan) {}
        let ended = Self.wait(run, Self.isOver)
        run.end()
        guard case .ended(let problem?) = ended.phase else {
            Issue.record("it was captured")
            return
        }
        #expect(
            problem.errorString.hasPrefix(
                "/nowhere/capture.sock is not there; expected the helper (touchline-capture.socket)"))
    }

    /// Somebody listens, takes the request and answers nothing: whoever stops the capture waits for a moment only.
    @Test func aHelperThatHangsHoldsNobodyUp() throws {
        let path = "/tmp/touchline-hangs-\(UInt32.random(in: 0 ... .max)).sock"
        let listener = try UnixListener(listeningAt: path, group: "")
        let plan = CaptureRun.Plan(
            try Self.request("lo"), seconds: 1, capacity: 100, helper: path, asksHelper: true)
        let run = try CaptureRun(plan) {}
        _ = try DescriptorWait().wait(for: [listener.rawValue], until: SystemClock.monotonic() + .seconds(5))
        let began = SystemClock.monotonic()
        run.end()
        #expect(SystemClock.monotonic() - began < .seconds(2))
        #expect(run.shown.phase == .ended(problem: .failure(.failed, "the capture helper gave no answer")))
    }
}
