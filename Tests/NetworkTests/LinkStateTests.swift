// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import TestSupport
import Testing
import Venue

@testable import Network

/// SVM-05: which interfaces carry packets.
struct LinkStateTests {
    private var links = LinkState()
    private let four = NumericAddress(v4: 0x0a00_0001)
    private let six = NumericAddress(v6: 0xfe80 << 48, 1)

    @Test mutating func comesAndGoes() throws {
        #expect(links.apply(.link(index: 3, name: "wlan0", isUp: false)) == nil)
        #expect(links.attachment(named: "wlan0") == nil && links.name(of: 3) == "wlan0")
        #expect(links.apply(.link(index: 3, name: "wlan0", isUp: true)) == .link(name: "wlan0", isUp: true))
        let first = try #require(links.attachment(named: "wlan0"))
        #expect(links.attachment(index: 3) == first && first.index == 3)
        // Flags that do not concern us.
        #expect(links.apply(.link(index: 3, name: "", isUp: true)) == nil)
        #expect(links.attachment(named: "wlan0") == first)
        #expect(links.apply(.link(index: 3, name: "wlan0", isUp: false)) == .link(name: "wlan0", isUp: false))
        #expect(links.attachment(index: 3) == nil)
        #expect(links.apply(.link(index: 3, name: "wlan0", isUp: true)) == .link(name: "wlan0", isUp: true))
        let second = try #require(links.attachment(named: "wlan0"))
        #expect(second.index == 3 && second != first)
    }

    /// A USB stick that is pulled out and put in again.
    @Test mutating func returnsUnderAnotherIndex() {
        _ = links.apply(.link(index: 3, name: "wlan0", isUp: true))
        #expect(links.apply(.linkGone(index: 3)) == .link(name: "wlan0", isUp: false))
        #expect(links.apply(.linkGone(index: 3)) == nil)
        _ = links.apply(.link(index: 9, name: "wlan0", isUp: true))
        #expect(links.attachment(named: "wlan0")?.index == 9)
    }

    @Test mutating func firstAddressOfAFamilyCounts() throws {
        #expect(links.apply(.address(four, index: 3)) == nil)  // of no link that we know
        _ = links.apply(.link(index: 3, name: "eth0", isUp: true))
        let bare = try #require(links.attachment(index: 3))
        #expect(links.apply(.address(four, index: 3)) == .address(name: "eth0"))
        let addressed = try #require(links.attachment(index: 3))
        #expect(addressed.session == bare.session && addressed != bare)
        // Its lifetime is renewed; another joins it.
        #expect(links.apply(.address(four, index: 3)) == nil)
        #expect(links.apply(.address(NumericAddress(v4: 0x0a00_0002), index: 3)) == nil)
        #expect(links.attachment(index: 3) == addressed)
        #expect(links.apply(.address(six, index: 3)) == .address(name: "eth0"))
        #expect(links.apply(.addressGone(six, index: 3)) == nil)
        #expect(links.apply(.address(six, index: 3)) == .address(name: "eth0"))
    }

    @Test mutating func whatAListLeavesOutIsGone() {
        for index: UInt32 in 1...3 { _ = links.apply(.link(index: index, name: "eth\(index)", isUp: index != 3)) }
        let before = links.changes
        links.readingBegan()
        _ = links.apply(.link(index: 1, name: "eth1", isUp: true))
        #expect(links.readingEnded() == [.link(name: "eth2", isUp: false)])
        #expect(links.up == ["eth1"] && links.changes == before + 1)
    }

    /// Messages were lost meanwhile: the address that a lease brings instead is the first one, as it would have been in
    /// order; one that stays is none.
    @Test mutating func anAddressThatAListLeavesOutIsGone() throws {
        _ = links.apply(.link(index: 1, name: "eth1", isUp: true))
        _ = links.apply(.address(four, index: 1))
        for address in [four, NumericAddress(v4: 0x0a00_0002)] {
            let before = try #require(links.attachment(index: 1))
            links.readingBegan()
            _ = links.apply(.link(index: 1, name: "eth1", isUp: true))
            _ = links.readingEnded()
            let change = links.apply(.address(address, index: 1))
            #expect(change == (address == four ? nil : .address(name: "eth1")))
            links.addressesEnded()
            #expect((links.attachment(index: 1) == before) == (address == four))
        }
        // None is left when that goes, so that the next one is the first.
        #expect(links.apply(.addressGone(NumericAddress(v4: 0x0a00_0002), index: 1)) == nil)
        #expect(links.apply(.address(four, index: 1)) == .address(name: "eth1"))
    }

    @Test mutating func isBounded() {
        for index in 0..<UInt32(LinkState.mostLinks + 10) {
            _ = links.apply(.link(index: index, name: "v\(index)", isUp: true))
        }
        #expect(links.up.count == LinkState.mostLinks)
    }

    @Test mutating func routesAreTold() {
        let before = links.changes
        #expect(links.apply(.route(interface: 3)) == .routes)
        #expect(links.apply(.routeGone) == .routes)
        #expect(links.changes == before + 2)
    }

    /// Whatever the kernel tells, in whatever order: each change is that of a link that is known, and counts once.
    @Test mutating func anythingMayBeTold() {
        for seed in Effort.seeds(50) {
            var random = SplitMix64(seed: seed)
            links = LinkState()
            var up: Set<String> = []
            for _ in 0..<200 {
                let before = links.changes
                let change = links.apply(message(&random))
                #expect(links.changes == before + (change == nil ? 0 : 1))
                switch change {
                case .link(let name, true): #expect(up.insert(name).inserted)
                case .link(let name, false): #expect(up.remove(name) != nil)
                case .address(let name): #expect(up.contains(name))
                case .routes, nil: break
                }
                #expect(links.up == up, "seed \(seed)")
            }
        }
    }

    private func message(_ random: inout SplitMix64) -> NetlinkMessage {
        let index = UInt32.random(in: 1...4, using: &random)
        return switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: .link(index: index, name: "eth\(index)", isUp: random.percent(50))
        case 3: .linkGone(index: index)
        case 4: .address(random.percent(50) ? four : six, index: index)
        case 5: .addressGone(random.percent(50) ? four : six, index: index)
        case 6: .route(interface: index)
        default: .routeGone
        }
    }
}
