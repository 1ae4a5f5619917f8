// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// How the radios of the box are, what has happened to them, and what they have counted since the service started
/// (SVM-127): made of an observation each second and of what the kernel tells in between.
public struct RadioLedger: Sendable {
    private static let mostInterfaces = 64
    private static let mostStations = 2_048
    private static let mostNetworks = 1_024
    private static let mostDomains = 65
    /// For so long an observation may repeat what an event has told.
    private static let lateness: Nanoseconds = .seconds(3)

    /// What people call access points (SVM-17), by their BSSIDs.
    public var names: [HardwareAddress: String]
    private var records: [String: RadioRecord] = [:]
    /// Names of the interfaces that are there, by their indices.
    private var present: [UInt32: String] = [:]
    private var domains: [RegulatoryDomain] = []
    private var gate = NewsGate()
    private var began: Monotonic?
    private var wasObserved = false
    /// When an event last told of a regulatory domain.
    private var regulatoryTold: Monotonic?
    /// Interfaces for which there was no room.
    private var interfacesPassedOver: UInt64 = 0

    public init(names: [HardwareAddress: String] = [:]) { self.names = names }

    /// By the indices of their interfaces.
    public var interfaces: [RadioState] {
        present.sorted { $0.key < $1.key }.compactMap { records[$0.value]?.state(names: names, domains: domains) }
    }

    /// News that were not passed on, since more than five of a kind came from an interface in a second.
    public var withheldNews: UInt64 { records.values.reduce(gate.withheld) { $0 &+ $1.withheld } }

    /// How often an interface, a client of an access point or a network was left out, since there were too many.
    public var passedOver: UInt64 { records.values.reduce(interfacesPassedOver) { $0 &+ $1.passedOver } }

    // MARK: Input

    public mutating func observed(_ observation: RadioObservation, at now: Monotonic) -> [RadioNews] {
        let began = self.began ?? now
        self.began = began
        var news = vanish(whatIsMissingIn: observation, at: now)
        var networks = Self.mostNetworks
        for seen in observation.interfaces {
            guard let name = enrol(seen.interface, at: now) else { continue }
            let stations = stationRoom(for: name)
            news +=
                records[name]?.observed(
                    seen, stations: stations, networks: networks, began: began, names: names, at: now) ?? []
            networks -= records[name]?.networks.count ?? 0
        }
        news += regulate(observation.regulatoryDomains, at: now)
        wasObserved = true
        return news
    }

    public mutating func told(_ event: RadioEvent, at now: Monotonic) -> [RadioNews] {
        began = began ?? now
        switch event.kind {
        case .regulatoryChanged(let domain): return regulated(domain, at: now)
        case .interfaceAppeared(let interface), .interfaceChanged(let interface):
            guard let name = enrol(interface, at: now) else { return [] }
            return records[name]?.became(interface, names: names, at: now) ?? []
        case .interfaceGone(let interface):
            guard let index = interface.index ?? event.interface, let name = present.removeValue(forKey: index) else {
                return []
            }
            return records[name]?.vanished(names: names, at: now) ?? []
        default:
            guard let index = event.interface, let name = present[index] else { return [] }
            let room = event.kind == .stationAppeared ? stationRoom(for: name) : 0
            return records[name]?.told(event, room: room, names: names, at: now) ?? []
        }
    }

    // MARK: Interfaces

    /// - Returns: the interface's name; nil if it has none, or there is no room for it.
    private mutating func enrol(_ interface: RadioInterface, at now: Monotonic) -> String? {
        guard let index = interface.index, let name = interface.name else { return nil }
        if records[name] == nil {
            guard makeRoom() else {
                interfacesPassedOver &+= 1
                return nil
            }
            records[name] = RadioRecord(interface, name: name, at: now)
        }
        // A name or an index that another interface had belongs to this one now.
        if present[index] != name {
            for (other, taken) in present where taken == name { present[other] = nil }
            if let former = present[index] { _ = records[former]?.vanished(names: names, at: now) }
            present[index] = name
        }
        return name
    }

    /// The interface that is gone for longest is forgotten for another one.
    private mutating func makeRoom() -> Bool {
        guard records.count >= Self.mostInterfaces else { return true }
        let gone = records.filter { !$0.value.isPresent }.min { $0.value.lastSeen < $1.value.lastSeen }
        guard let gone else { return false }
        records[gone.key] = nil
        return true
    }

    private mutating func vanish(whatIsMissingIn observation: RadioObservation, at now: Monotonic) -> [RadioNews] {
        let seen = Dictionary(
            observation.interfaces.compactMap { seen in
                seen.interface.index.flatMap { index in seen.interface.name.map { (index, $0) } }
            }, uniquingKeysWith: { first, _ in first })
        var news: [RadioNews] = []
        for (index, name) in present.sorted(by: { $0.key < $1.key }) where seen[index] != name {
            present[index] = nil
            news += records[name]?.vanished(names: names, at: now) ?? []
        }
        return news
    }

    /// How many clients an access point may have, beside those of the others.
    private func stationRoom(for name: String) -> Int {
        let others = records.values.reduce(0) { $0 + $1.stationCount } - (records[name]?.stationCount ?? 0)
        return Self.mostStations - others
    }

    // MARK: Regulatory domains

    private mutating func regulated(_ domain: RegulatoryDomain?, at now: Monotonic) -> [RadioNews] {
        regulatoryTold = now
        guard let domain else { return tellRegulatory(nil, now) }
        guard !domains.contains(domain) else { return [] }
        domains.removeAll { $0.wiphy == domain.wiphy }
        if domains.count < Self.mostDomains { domains.append(domain) }
        return tellRegulatory(domain, now)
    }

    private mutating func regulate(_ observed: [RegulatoryDomain], at now: Monotonic) -> [RadioNews] {
        let before = domains
        domains = Array(observed.prefix(Self.mostDomains))
        guard wasObserved, regulatoryTold.map({ now - $0 > Self.lateness }) ?? true else { return [] }
        return domains.filter { !before.contains($0) }.flatMap { tellRegulatory($0, now) }
    }

    private mutating func tellRegulatory(_ domain: RegulatoryDomain?, _ now: Monotonic) -> [RadioNews] {
        let kind = RadioNews.Kind.regulatoryChanged(alpha2: domain?.alpha2)
        return gate.admits(kind, at: now) ? [RadioNews(interface: nil, kind)] : []
    }
}
