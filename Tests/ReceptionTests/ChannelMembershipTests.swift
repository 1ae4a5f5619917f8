// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Reception

/// A box and its venue at the two ends of a cable, in a namespace of their own: box0 and venue0. The venue hears the
/// reports that a router would hear. Time is injected where something waits; data and reports are awaited.
@Suite(.serialized, .enabled(if: OwnNetwork.canBeMade)) struct ChannelMembershipTests {
    /// What the tests do in the namespace.
    private struct Scene {
        let watch: InterfaceWatch
        let router: MembershipReports
        var now = SystemClock.monotonic()

        init() throws {
            guard OwnNetwork.connect(), OwnNetwork.shell("ip addr add 10.0.0.3/24 dev venue0", Self.isSettled) else {
                throw OwnNetwork.Refused()
            }
            watch = try InterfaceWatch()
            guard let router = MembershipReports(on: "venue0") else { throw OwnNetwork.Refused() }
            self.router = router
        }

        /// The kernel tells of a carrier when it comes to it, and gives the link-local addresses of IPv6 behind that. A link's
        /// first address would be a reason to join again: until both links have one.
        private static let isSettled = """
            for i in $(seq 500); do [ $(grep -c '^fe80' /proc/net/if_inet6) = 2 ] && exit; sleep 0.01; done; exit 1
            """

        func receiver(
            _ transport: Transport, on interface: String = "box0", findsParity: Bool = false
        ) throws -> ChannelReceiver {
            try ChannelReceiver(
                transport, interface: interface, history: HistoryBuffer(span: .seconds(1), capacity: 1 << 20),
                findsParity: findsParity)
        }

        mutating func review(_ receivers: ChannelReceiver..., after span: Nanoseconds = .zero) throws
            -> [[MembershipReport]]
        {
            _ = try watch.read()
            now += span
            return ChannelMembership.review(receivers.map(\.membership), links: watch.links, at: now)
        }

        /// The kernel tells of a carrier when it comes to it: up to 5 s, until there is something to say of each.
        mutating func reviewAwaited(_ receivers: ChannelReceiver...) throws -> [[MembershipReport]] {
            try reviewAwaited(receivers)
        }

        mutating func reviewAwaited(_ receivers: [ChannelReceiver]) throws -> [[MembershipReport]] {
            var reports = receivers.map { _ in [MembershipReport]() }
            for _ in 0..<500 where reports.contains([]) {
                _ = try watch.read()
                let more = ChannelMembership.review(receivers.map(\.membership), links: watch.links, at: now)
                for (index, report) in more.enumerated() { reports[index] += report }
                if reports.contains([]) { usleep(10_000) }
            }
            return reports
        }

        /// Waits up to 5 s.
        func hears(_ records: Set<MembershipReports.Record>) -> Bool {
            var missing = records
            return eventually {
                missing.subtract(router.take())
                return missing.isEmpty
            }
        }

        /// Likewise: a record that names the source, perhaps with others of which the kernel says something twice.
        func hears(_ type: UInt8, _ group: String, of source: String) -> Bool {
            eventually {
                router.take().contains { $0.type == type && $0.group == group && $0.sources.contains(source) }
            }
        }

        /// Sends until something more arrives.
        func delivers(_ group: String, _ port: UInt16, from source: String = "10.0.0.2", to receiver: ChannelReceiver)
            -> Bool
        {
            let before = receiver.counters.datagrams
            return eventually {
                Scene.send(group, port, from: source)
                return receiver.counters.datagrams > before
            }
        }

        func eventually(_ condition: () -> Bool) -> Bool {
            for _ in 0..<500 {
                if condition() { return true }
                usleep(10_000)
            }
            return false
        }

        static func send(_ group: String, _ port: UInt16, from source: String) {
            if group.contains(":") {
                let bytes = [UInt8](repeating: 0x47, count: 188)
                // A link that is down is what some tests are about.
                guard let sender = try? DatagramSocket(sendingTo: group, port: port, interface: "venue0", hops: 1)
                else { return }
                try? bytes.withUnsafeBytes { try sender.send($0) }
                return
            }
            Datagrams.send([UInt8](repeating: 0x47, count: 188), to: group, port, from: source)
        }
    }

    private typealias Record = MembershipReports.Record

    /// Runs in a namespace; what it says is what did not hold.
    private static func run(_ body: @escaping @Sendable (inout Scene, (String, Bool) -> Void) throws -> Void) throws {
        let failures = try OwnNetwork.run {
            var failures: [String] = []
            var scene = try Scene()
            try body(&scene) { claim, holds in
                if !holds { failures.append(claim) }
            }
            return failures
        }
        #expect(failures == [])
    }

    private static let any = Transport(address: "239.9.9.9", port: 9_000, encapsulation: .raw)

    private static let renewed = [[MembershipReport.renewed(group: "239.9.9.9")], [.renewed(group: "239.9.9.9")]]

    /// As `run`, with two receivers that have joined the same group, when the router has heard so.
    private static func runWithTwo(
        _ body:
            @escaping @Sendable (
                inout Scene, _ first: ChannelReceiver, _ second: ChannelReceiver, (String, Bool) -> Void
            ) throws -> Void
    ) throws {
        try run { scene, expect in
            let (first, second) = (try scene.receiver(any), try scene.receiver(any))
            defer {
                first.stop()
                second.stop()
            }
            _ = try scene.review(first, second)
            expect("joined", scene.hears([Record(type: 4, group: "239.9.9.9")]))
            // The kernel says everything twice within a second.
            usleep(1_100_000)
            _ = scene.router.take()
            try body(&scene, first, second, expect)
        }
    }

    /// SVM-05: left on down, joined on up, heard by the router and by us.
    @Test func linkFlap() throws {
        try Self.run { scene, expect in
            let receiver = try scene.receiver(Self.any)
            defer { receiver.stop() }
            expect("stays", try scene.review(receiver) == [[]])
            expect("joined", scene.hears([Record(type: 4, group: "239.9.9.9")]))
            expect("data", scene.delivers("239.9.9.9", 9_000, to: receiver))
            OwnNetwork.shell("ip link set venue0 down")
            expect("left", try scene.reviewAwaited(receiver) == [[.linkLost(group: "239.9.9.9")]])
            expect("stays left", try scene.review(receiver, after: .seconds(100)) == [[]])
            OwnNetwork.shell("ip link set venue0 up")
            _ = scene.router.take()
            let index = DatagramSocket.interfaceIndex("box0") ?? 0
            expect(
                "follows",
                try scene.reviewAwaited(receiver) == [[.linkFollowed(group: "239.9.9.9", interface: index)]])
            expect("joined again", scene.hears([Record(type: 4, group: "239.9.9.9")]))
            expect("data again", scene.delivers("239.9.9.9", 9_000, to: receiver))
            expect("counted", scene.eventually { receiver.counters.linkFlaps == 1 })
            expect("no rejoin", receiver.counters.rejoins == 0)
        }
    }

    /// WiFi by USB: pulled out, put in again.
    @Test func interfaceReturnsUnderAnotherIndex() throws {
        try Self.run { scene, expect in
            let four = try scene.receiver(Self.any)
            let six = try scene.receiver(Transport(address: "ff12::9", port: 9_001, encapsulation: .raw))
            defer {
                four.stop()
                six.stop()
            }
            expect("stays", try scene.review(four, six) == [[], []])
            OwnNetwork.shell("ip link del box0")
            expect(
                "left",
                try scene.reviewAwaited(four, six) == [[.linkLost(group: "239.9.9.9")], [.linkLost(group: "ff12::9")]])
            _ = OwnNetwork.connect()
            let index = DatagramSocket.interfaceIndex("box0") ?? 0
            let reports = try scene.reviewAwaited(four, six)
            expect(
                "follows \(reports)",
                reports == [
                    [.linkFollowed(group: "239.9.9.9", interface: index)],
                    [.linkFollowed(group: "ff12::9", interface: index)],
                ])
            expect("data of IPv4", scene.delivers("239.9.9.9", 9_000, to: four))
            expect("data of IPv6", scene.delivers("ff12::9", 9_001, to: six))
        }
    }

    /// Reports are sent again, also where two channels hold the same group.
    @Test func silenceIsAnsweredByReports() throws {
        try Self.runWithTwo { scene, first, second, expect in
            scene.now = SystemClock.monotonic()
            let reports = try scene.review(first, second, after: .seconds(2))
            expect("renewed \(reports)", reports == Self.renewed)
            expect("heard", scene.hears([Record(type: 4, group: "239.9.9.9")]))
            expect("waits longer", try scene.review(first, second, after: .milliseconds(3_900)) == [[], []])
            expect("again", try scene.review(first, second, after: .milliseconds(200)) == Self.renewed)
            expect("counted", scene.eventually { first.counters.rejoins == 2 })
            expect("data", scene.delivers("239.9.9.9", 9_000, to: second))
        }
    }

    /// SVM-04: groups that are not silent are left and joined again when all are renewed.
    @Test func allAreRenewed() throws {
        try Self.runWithTwo { scene, first, second, expect in
            let reports = ChannelMembership.review(
                [first.membership, second.membership], links: scene.watch.links, at: scene.now, renewsAll: true)
            expect("renewed \(reports)", reports == Self.renewed)
            expect("heard", scene.hears([Record(type: 4, group: "239.9.9.9")]))
            expect("once", try scene.review(first, second) == [[], []])
            expect("data", scene.delivers("239.9.9.9", 9_000, to: second))
        }
    }

    /// The ports of parity belong to the channel's group: their silence is no reason to join again. When the stream turns
    /// out to come without RTP they are left, and the channel stays joined, also with its link.
    @Test func portsWhereParityIsLookedFor() throws {
        try Self.run { scene, expect in
            let channel = Transport(address: "239.9.9.9", port: 9_000, encapsulation: .automatic)
            let receiver = try scene.receiver(channel, findsParity: true)
            defer { receiver.stop() }
            let members = { (count: Int) in OwnNetwork.shell("grep -q '090909EF  *\(count) ' /proc/net/igmp") }
            expect("stays", try scene.review(receiver) == [[]])
            expect("three members", members(3))
            let silence = try scene.review(receiver, after: .seconds(3))
            expect("renewed once \(silence)", silence == [[.renewed(group: "239.9.9.9")]])
            expect("with all", members(3))
            for port in [9_002, 9_004] { Scene.send("239.9.9.9", UInt16(port), from: "10.0.0.2") }
            expect("data", scene.delivers("239.9.9.9", 9_000, to: receiver))
            scene.now = SystemClock.monotonic()
            expect("nothing", try scene.review(receiver) == [[]])
            expect("one member", members(1))
            expect("goes on", scene.delivers("239.9.9.9", 9_000, to: receiver))
            expect("no rejoin since", scene.eventually { receiver.counters.rejoins == 1 })
            expect("no repair", receiver.counters.repairDatagrams == 0)
            OwnNetwork.shell("ip link set venue0 down")
            expect("left", try scene.reviewAwaited(receiver) == [[.linkLost(group: "239.9.9.9")]])
            OwnNetwork.shell("ip link set venue0 up")
            expect("follows", try scene.reviewAwaited(receiver).first?.count == 1)
            expect("data again", scene.delivers("239.9.9.9", 9_000, to: receiver))
        }
    }

    /// SSM of both families: IGMPv3 and MLDv2 allow the one source.
    @Test func sourcesAreJoined() throws {
        try Self.run { scene, expect in
            OwnNetwork.shell("ip addr add fd00::2/64 dev venue0 nodad", "ip addr add fd00::1/64 dev box0 nodad")
            var four = Self.any
            four.source = "10.0.0.3"
            var six = Transport(address: "ff3e::8000:9", port: 9_001, encapsulation: .raw)
            six.source = "fd00::2"
            let (first, second) = (try scene.receiver(four), try scene.receiver(six))
            defer {
                first.stop()
                second.stop()
            }
            _ = try scene.review(first, second)
            expect(
                "joined",
                scene.hears([
                    Record(type: 5, group: "239.9.9.9", sources: ["10.0.0.3"]),
                    Record(type: 5, group: "ff3e::8000:9", sources: ["fd00::2"]),
                ]))
            for _ in 0..<10 { Scene.send("239.9.9.9", 9_000, from: "10.0.0.2") }
            expect("data of the source", scene.delivers("239.9.9.9", 9_000, from: "10.0.0.3", to: first))
            expect("data of IPv6", scene.delivers("ff3e::8000:9", 9_001, to: second))
            expect("none of another", first.counters.datagrams < 10)
        }
    }

    /// "Source fail-over": the second takes over, the first is left; and back when that is silent.
    @Test func sourceFailover() throws {
        try Self.run { scene, expect in
            var transport = Self.any
            transport.source = "10.0.0.2"
            transport.furtherSources = ["10.0.0.3"]
            let receiver = try scene.receiver(transport)
            defer { receiver.stop() }
            _ = try scene.review(receiver)
            expect("first", scene.delivers("239.9.9.9", 9_000, from: "10.0.0.2", to: receiver))
            scene.now = SystemClock.monotonic()
            expect("nothing changes", try scene.review(receiver) == [[]])
            usleep(100_000)  // what still comes from the first would be heard as its return
            expect("tried", try scene.review(receiver, after: .milliseconds(600)) == [[.sourceTried("10.0.0.3")]])
            expect("router", scene.hears(5, "239.9.9.9", of: "10.0.0.3"))
            expect("second", scene.delivers("239.9.9.9", 9_000, from: "10.0.0.3", to: receiver))
            expect("changed", try scene.review(receiver) == [[.sourceChanged("10.0.0.3")]])
            expect("left", scene.hears(6, "239.9.9.9", of: "10.0.0.2"))
            let before = receiver.counters.datagrams
            for _ in 0..<10 { Scene.send("239.9.9.9", 9_000, from: "10.0.0.2") }
            expect("heard still", scene.delivers("239.9.9.9", 9_000, from: "10.0.0.3", to: receiver))
            expect("alone", receiver.counters.datagrams < before + 10)
            scene.now = SystemClock.monotonic()
            expect("back", try scene.review(receiver, after: .milliseconds(1_500)) == [[.sourceTried("10.0.0.2")]])
            expect("counted", scene.eventually { receiver.counters.sourceChanges == 1 })
        }
    }

    @Test func followsTheRoute() throws {
        try Self.run { scene, expect in
            OwnNetwork.shell("ip route add 224.0.0.0/4 dev lo")
            let receiver = try scene.receiver(Self.any, on: "")
            defer { receiver.stop() }
            expect("stays", try scene.review(receiver) == [[]])
            OwnNetwork.shell("ip route replace 224.0.0.0/4 dev box0")
            let index = DatagramSocket.interfaceIndex("box0") ?? 0
            expect(
                "follows",
                try scene.reviewAwaited(receiver) == [[.linkFollowed(group: "239.9.9.9", interface: index)]])
            expect("data", scene.delivers("239.9.9.9", 9_000, to: receiver))
            OwnNetwork.shell("ip route del 224.0.0.0/4")
            expect("left", try scene.reviewAwaited(receiver) == [[.linkLost(group: "239.9.9.9")]])
        }
    }

    private static func isOneLoss(_ reports: [MembershipReport]) -> Bool {
        if case .linkLost? = reports.first { reports.count == 1 } else { false }
    }

    private static func isOneFollowing(_ reports: [MembershipReport]) -> Bool {
        if case .linkFollowed? = reports.first { reports.count == 1 } else { false }
    }

    /// More than `igmp_max_memberships` (20) of one socket: each channel has sockets of its own.
    @Test func sixtyFourChannels() throws {
        try Self.run { scene, expect in
            let receivers = try (1...64).map { number in
                try scene.receiver(Transport(address: "239.9.8.\(number)", port: 9_000, encapsulation: .raw))
            }
            defer { for receiver in receivers { receiver.stop() } }
            _ = ChannelMembership.review(receivers.map(\.membership), links: scene.watch.links, at: scene.now)
            // Seen to be down before it is up again: the kernel may say nothing of a carrier that comes back at once.
            OwnNetwork.shell("ip link set venue0 down")
            let lost = try scene.reviewAwaited(receivers)
            expect("all lose it", lost.allSatisfy(Self.isOneLoss))
            OwnNetwork.shell("ip link set venue0 up")
            let rejoined = try scene.reviewAwaited(receivers)
            expect("all follow", rejoined.allSatisfy(Self.isOneFollowing))
            expect("reports", scene.hears(Set((1...64).map { Record(type: 4, group: "239.9.8.\($0)") })))
            for (index, receiver) in receivers.enumerated() {
                expect("data \(index)", scene.delivers("239.9.8.\(index + 1)", 9_000, to: receiver))
            }
        }
    }
}
