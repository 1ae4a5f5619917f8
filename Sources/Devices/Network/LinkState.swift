// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Venue

/// The interfaces as rtnetlink reports them: which can carry packets, and since when.
public struct LinkState: Equatable, Sendable {
    private struct Link: Equatable, Sendable {
        var name: String
        var isUp: Bool
        /// As in `LinkAttachment`.
        var session = 0
        var addressing = 0
        /// With the number of the last listing at or after which each was told.
        var addresses: [NumericAddress: Int] = [:]
        /// Number of the last listing that contained it.
        var reading: Int
    }

    /// Links beyond this limit are not kept; a box has only a few.
    static let mostLinks = 1_024
    static let mostAddresses = 64

    private var links: [UInt32: Link] = [:]
    private var lastSession = 0
    private var reading = 0
    /// Counts the changes that matter to a caller.
    public private(set) var changes = 0

    public init() {}

    /// nil while the interface is down or does not exist.
    public func attachment(named name: String) -> LinkAttachment? {
        links.first { $0.value.name == name && $0.value.isUp }.flatMap { attachment(index: $0.key) }
    }

    /// nil while the interface is down or does not exist.
    public func attachment(index: UInt32) -> LinkAttachment? {
        guard let link = links[index], link.isUp else { return nil }
        return LinkAttachment(index: index, session: link.session, addressing: link.addressing)
    }

    /// No link is known yet.
    public var isEmpty: Bool { links.isEmpty }

    public func name(of index: UInt32) -> String? { links[index]?.name }

    /// Names of the links that are up.
    public var up: Set<String> { Set(links.values.filter(\.isUp).map(\.name)) }

    // MARK: Kernel messages

    /// - Returns: nil if nothing changed that matters to a caller.
    public mutating func apply(_ message: NetlinkMessage) -> LinkChange? {
        let change = changeTold(by: message)
        if change != nil { changes += 1 }
        return change
    }

    private mutating func changeTold(by message: NetlinkMessage) -> LinkChange? {
        switch message {
        case .link(let index, let name, let isUp): return linkTold(index, name, isUp)
        case .linkGone(let index): return links.removeValue(forKey: index).flatMap(Self.end)
        case .address(let address, let index): return addressTold(address, index)
        case .addressGone(let address, let index): links[index]?.addresses[address] = nil
        case .route, .routeGone: return .routes
        case .done, .failed, .other: break
        }
        return nil
    }

    /// Begins a full listing of the links, and then of their addresses; those missing from it when it ends are gone.
    public mutating func readingBegan() { reading += 1 }

    /// Ends the listing of the addresses.
    public mutating func addressesEnded() {
        for (index, link) in links { links[index]?.addresses = link.addresses.filter { $0.value == reading } }
    }

    /// Ends the listing of the links.
    /// - Returns: a change for each link that was up and is gone.
    public mutating func readingEnded() -> [LinkChange] {
        let gone = links.filter { $0.value.reading != reading }.keys
        let ends = gone.compactMap { index in links.removeValue(forKey: index).flatMap(Self.end) }
        changes += ends.count
        return ends
    }

    private static func end(_ link: Link) -> LinkChange? { link.isUp ? .link(name: link.name, isUp: false) : nil }

    private mutating func linkTold(_ index: UInt32, _ name: String, _ isUp: Bool) -> LinkChange? {
        var link = links[index] ?? Link(name: name, isUp: false, reading: reading)
        guard links[index] != nil || links.count < Self.mostLinks else { return nil }
        let wasUp = link.isUp
        // Some messages omit the name.
        if !name.isEmpty { link.name = name }
        link.isUp = isUp
        link.reading = reading
        if isUp, !wasUp {
            lastSession += 1
            link.session = lastSession
        }
        links[index] = link
        return isUp == wasUp ? nil : .link(name: link.name, isUp: isUp)
    }

    private mutating func addressTold(_ address: NumericAddress, _ index: UInt32) -> LinkChange? {
        guard var link = links[index] else { return nil }
        let isKnown = link.addresses[address] != nil
        guard isKnown || link.addresses.count < Self.mostAddresses else { return nil }
        // One that the listing has not told yet may have gone.
        let isFirst =
            !isKnown && !link.addresses.contains { $0.key.isIPv6 == address.isIPv6 && $0.value == reading }
        link.addresses[address] = reading
        if isFirst { link.addressing += 1 }
        links[index] = link
        return isFirst && link.isUp ? .address(name: link.name) : nil
    }
}
