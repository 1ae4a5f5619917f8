// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Radio
import Synchronization
import TestSupport
import Testing

@testable import Wireless

/// The kernel itself, in a namespace of its own; `ip` says what is right. The emulator of a single program, in which the
/// tests of another processor run, has no generic netlink; there GuestRadioTests are the ones that count.
@Suite(.enabled(if: OwnNetwork.canBeMade && !Effort.isEmulated)) struct RadioWatchTests {
    /// The watch, and a thread that waits for its reports.
    private final class Owner: Sendable {
        private let woken = DispatchSemaphore(value: 0)
        let watch: RadioWatch

        init() throws {
            let woken = woken
            watch = try RadioWatch { woken.signal() }
        }

        /// The first report that suits, of those that come within ten seconds.
        func first<Found>(_ suits: (RadioWatch.Report) -> Found?) -> Found? {
            let deadline = DispatchTime.now() + .seconds(10)
            while woken.wait(timeout: deadline) == .success {
                for report in watch.takeReports() {
                    if let found = suits(report) { return found }
                }
            }
            return nil
        }

        func links(where suits: ([LinkFigures]) -> Bool) -> [LinkFigures]? {
            first { if case .observed(_, let links) = $0, suits(links) { links } else { nil } }
        }
    }

    @Test func wiresAreAsTheKernelSays() throws {
        let (links, text) = try OwnNetwork.run {
            _ = OwnNetwork.connect()
            // venue0 asks who has an address that nobody has, and box0 has received that.
            let isSent = OwnNetwork.shell(
                "ip route add 10.0.1.0/24 dev venue0", "bash -c 'echo >/dev/udp/10.0.1.1/9'", "ip link set lo down")
            #expect(isSent)
            let owner = try Owner()
            defer { owner.watch.stop() }
            let links = owner.links { $0.contains { $0.name == "venue0" && $0.hasCarrier } }
            let file = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID()).json")
            OwnNetwork.shell("ip -s -s -j link >\(file.path)")
            defer { try? FileManager.default.removeItem(at: file) }
            return (links, try String(decoding: Data(contentsOf: file), as: UTF8.self))
        }
        let found = try #require(links)
        let rows = try #require(try JSONValue.parse(Array(text.utf8)).array)
        #expect(found.map(\.name) == rows.compactMap { $0["ifname"]?.string })
        for (link, row) in zip(found, rows) {
            #expect(link.address?.description == row["address"]?.string)
            #expect(link.mtu.map(Int64.init) == row["mtu"]?.integer)
            #expect(link.isUp == (row["flags"]?.array ?? []).contains("UP"))
            let counters = link.counters
            // A moment later there may be some packets more.
            let received = Int64(counters.packetsReceived)
            #expect((received...received + 100).contains(row["stats64"]?["rx"]?["packets"]?.integer ?? -1))
            let sent = Int64(counters.octetsSent)
            #expect((sent...sent + 10_000).contains(row["stats64"]?["tx"]?["bytes"]?.integer ?? -1))
        }
        let wire = try #require(found.first { $0.name == "box0" })
        // A pair of veth says that it is a wire of 10 Gbit/s.
        #expect(wire.speed == 10_000 && wire.duplex == .full && wire.hasCarrier)
        #expect(wire.counters.octetsReceived > 0 && wire.counters.receiveErrors == 0)
    }

    @Test func aWireIsPulled() throws {
        let (carriers, isUp) = try OwnNetwork.run {
            _ = OwnNetwork.connect()
            let owner = try Owner()
            defer { owner.watch.stop() }
            func link(_ links: [LinkFigures]) -> LinkFigures? { links.first { $0.name == "box0" } }
            _ = owner.links { link($0)?.hasCarrier == true }
            OwnNetwork.shell("ip link set venue0 down")
            owner.watch.look()
            let down = owner.links { link($0)?.hasCarrier == false }.flatMap(link)
            OwnNetwork.shell("ip link del box0")
            let gone = owner.links { link($0) == nil }
            return (down?.carrierChanges, down?.isUp == true && gone != nil)
        }
        #expect(isUp)
        #expect((carriers ?? 0) >= 2)
    }

    /// A kernel without radios, or whose module is not loaded, has no family of that name.
    @Test func noRadios() throws {
        let observation = try OwnNetwork.run {
            let owner = try Owner()
            defer { owner.watch.stop() }
            return owner.first { if case .observed(let observation, _) = $0 { observation } else { nil } }
        }
        #expect(observation?.interfaces.isEmpty == true)
    }

    @Test func nothingIsLeft() throws {
        @Sendable func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        let grown = try OwnNetwork.run {
            var least = Int.max
            // Other tests open descriptors meanwhile.
            for _ in 0..<20 {
                let before = try descriptors()
                for _ in 0..<5 {
                    let owner = try Owner()
                    _ = owner.first { if case .observed = $0 { true } else { nil } }
                    owner.watch.stop()
                }
                least = min(least, try descriptors() - before)
                if least <= 0 { break }
            }
            return least
        }
        #expect(grown <= 0)
    }
}

/// What waits for an owner who does not come.
@Suite struct RadioExchangeTests {
    private func observed(_ name: String) -> RadioWatch.Report {
        .observed(RadioObservation(), links: [LinkFigures(index: 1, name: name)])
    }

    private func text(_ report: RadioWatch.Report) -> String {
        switch report {
        case .observed(_, let links): links.first?.name ?? ""
        case .event(let event): "\(event.interface ?? 0)"
        case .lost: "lost"
        case .failed(let why): why
        }
    }

    @Test func onlyTheNewestFiguresAreKept() throws {
        let wakes = Atomic<Int>(0)
        let exchange = try RadioExchange { wakes.add(1, ordering: .relaxed) }
        exchange.post(observed("one"))
        exchange.post(.event(RadioEvent(.roamed, interface: 7)))
        exchange.post(observed("two"))
        #expect(exchange.takeReports().map(text) == ["7", "two"])
        #expect(wakes.load(ordering: .relaxed) == 1)
        #expect(exchange.takeReports().isEmpty)
    }

    @Test func eventsAreBounded() throws {
        let exchange = try RadioExchange {}
        for number in 0..<10_000 { exchange.post(.event(RadioEvent(.scanStarted, interface: UInt32(number)))) }
        exchange.post(observed("figures"))
        let reports = exchange.takeReports().map(text)
        #expect(reports.count == 1_002 && Array(reports.suffix(2)) == ["figures", "lost"])
        exchange.post(.lost)
        #expect(exchange.takeReports().map(text) == ["lost"])
    }
}
