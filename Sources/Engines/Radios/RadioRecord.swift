// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// What is known of an interface of a radio. It stays when the interface is gone, with its totals.
struct RadioRecord {
    private(set) var interface: RadioInterface
    let name: String
    private(set) var isPresent = true
    /// When it was last there.
    private(set) var lastSeen: Monotonic
    private var totals = RadioTotals()
    private var link = ClientLink()
    private var table = ClientTable()
    private var load = ChannelLoad()
    private var score = LinkScore()
    private var gate = NewsGate()
    private var noise: Int?
    private(set) var networks: [BasicServiceSet] = []
    /// Name of the network that the client is associated with.
    private var network: [UInt8]?
    private(set) var passedOver: UInt64 = 0

    init(_ interface: RadioInterface, name: String, at now: Monotonic) {
        self.interface = interface
        self.name = name
        lastSeen = now
    }

    var stationCount: Int { table.count }
    var withheld: UInt64 { gate.withheld }

    // MARK: Events

    mutating func told(
        _ event: RadioEvent, room: Int, names: [HardwareAddress: String], at now: Monotonic
    ) -> [RadioNews] {
        switch event.kind {
        case .connected, .roamed:
            guard interface.mode == .station || interface.mode == nil else { return [] }
            let heard = networks
            let change = link.connected(
                event.address, isRoam: event.kind == .roamed, at: now, into: &totals,
                isSameNetwork: { Self.isSameNetwork($0, $1, in: heard) })
            if change != nil { score = LinkScore() }
            return told(change, names, now)
        case .disconnected(let reason, let side):
            return told(link.disconnected(reason: reason, by: side, at: now, into: &totals), names, now)
        case .stationAppeared:
            guard interface.mode == .accessPoint, let address = event.address else { return [] }
            return told(table.appeared(address, room: room, at: now, into: &totals), now)
        case .stationGone:
            guard interface.mode == .accessPoint, let address = event.address else { return [] }
            return told(table.left(address, at: now, into: &totals), now)
        case .channelSwitched(let channel):
            interface.channel = channel
            return tell(.channelSwitched(channel), now)
        case .connectionFailed(let status): return tell(.connectionFailed(status: status), now)
        case .scanEnded: return tell(.scanFinished, now)
        case .signalFell(let signal): return tell(.signalFell(signal: signal), now)
        case .signalRose(let signal): return tell(.signalRose(signal: signal), now)
        case .beaconsLost: return tell(.beaconsLost, now)
        case .scanStarted, .scanAborted, .regulatoryChanged, .packetsLost, .transmissionsFailed, .interfaceAppeared,
            .interfaceChanged, .interfaceGone:
            return []
        }
    }

    // MARK: Observations

    /// - Parameters:
    ///   - stations: how many clients of an access point there may be.
    ///   - networks: how many networks are kept.
    mutating func observed(
        _ observation: RadioObservation.Interface, stations room: Int, networks networkRoom: Int, began: Monotonic,
        names: [HardwareAddress: String], at now: Monotonic
    ) -> [RadioNews] {
        var news = became(observation.interface, names: names, at: now)
        keep(observation.networks, room: networkRoom)
        switch interface.mode {
        case .station?, nil:
            let figures = Self.accessPoint(in: observation)
            let heard = networks
            let change = link.observed(
                figures, at: now, began: began, into: &totals,
                isSameNetwork: { Self.isSameNetwork($0, $1, in: heard) })
            if change != nil { score = LinkScore() }
            news += told(change, names, now)
        case .accessPoint?:
            news += told(
                table.observed(observation.stations, room: room, at: now, began: began, into: &totals), now)
        case .other?: break
        }
        measure(observation, at: now)
        return news
    }

    /// The interface is there, perhaps in another mode.
    mutating func became(
        _ interface: RadioInterface, names: [HardwareAddress: String], at now: Monotonic
    ) -> [RadioNews] {
        let news = interface.mode == self.interface.mode ? [] : leave(names, now)
        self.interface = interface
        isPresent = true
        lastSeen = now
        return news
    }

    mutating func vanished(names: [HardwareAddress: String], at now: Monotonic) -> [RadioNews] {
        guard isPresent else { return [] }
        isPresent = false
        networks = []
        noise = nil
        load = ChannelLoad()
        return leave(names, now)
    }

    // MARK: State

    func state(names: [HardwareAddress: String], domains: [RegulatoryDomain]) -> RadioState {
        var state = RadioState(interface, name: name)
        state.noise = noise
        state.busyPPM = load.busyPPM
        state.regulatoryDomain =
            domains.first { $0.wiphy == interface.wiphy } ?? domains.first { $0.wiphy == nil }
        state.totals = totals
        state.networks = networks
        state.lastDisconnect = link.lastDisconnect
        state.channel = channel
        switch interface.mode {
        case .station?, nil:
            state.isAssociated = link.association != nil
            state.bssid = link.association?.address
            state.accessPoint = state.bssid.flatMap { names[$0] }
            state.figures = link.association?.figures
            state.linkScore = state.isAssociated ? score.value : 0
            state.ssid = state.isAssociated ? NetworkName.text(network ?? interface.ssid) : nil
        case .accessPoint?:
            state.ssid = NetworkName.text(interface.ssid)
            state.stations = table.figures
        case .other?: break
        }
        return state
    }

    // MARK: Parts

    private var channel: RadioChannel? {
        if let channel = interface.channel { return channel }
        guard let address = link.association?.address else { return nil }
        let frequency = networks.first { $0.address == address }?.frequency
        return frequency.map { RadioChannel(controlFrequency: $0) }
    }

    private mutating func measure(_ observation: RadioObservation.Interface, at now: Monotonic) {
        let frequency = channel?.controlFrequency
        let survey =
            observation.surveys.first(where: \.isInUse)
            ?? frequency.flatMap { frequency in observation.surveys.first { $0.frequency == frequency } }
        noise = survey?.noise
        load.observed(survey, at: now)
        guard let association = link.association else {
            network = nil
            return
        }
        let heard = networks.first { $0.isAssociated && $0.address == association.address }
        network = heard?.ssid ?? networks.first { $0.address == association.address }?.ssid ?? interface.ssid
        guard let figures = association.figures else { return }
        score.observed(signal: figures.averageSignal ?? figures.signal, noise: noise, totals: totals, at: now)
    }

    /// The access point's own network stays, then those that are heard best.
    private mutating func keep(_ heard: [BasicServiceSet], room: Int) {
        guard heard.count > room else {
            networks = heard
            return
        }
        passedOver &+= UInt64(heard.count - room)
        networks = Array(
            heard.sorted { left, right in
                left.isAssociated == right.isAssociated
                    ? left.signal ?? -1_000 > right.signal ?? -1_000 : left.isAssociated
            }.prefix(room))
    }

    private mutating func leave(_ names: [HardwareAddress: String], _ now: Monotonic) -> [RadioNews] {
        let change = link.vanished(at: now, into: &totals)
        network = nil
        return told(change, names, now) + told(table.vanished(into: &totals), now)
    }

    private mutating func told(
        _ change: ClientLink.Change?, _ names: [HardwareAddress: String], _ now: Monotonic
    ) -> [RadioNews] {
        func point(_ address: HardwareAddress?) -> RadioNews.AccessPoint {
            RadioNews.AccessPoint(bssid: address, name: address.flatMap { names[$0] })
        }
        return switch change {
        case nil: []
        case .connected(let address)?: tell(.connected(to: point(address)), now)
        case .disconnected(let address, let reason, let side)?:
            tell(.disconnected(from: point(address), reason: reason, by: side), now)
        case .roamed(let left, let address)?: tell(.roamed(from: point(left), to: point(address)), now)
        }
    }

    private mutating func told(_ changes: ClientTable.Changes, _ now: Monotonic) -> [RadioNews] {
        passedOver &+= UInt64(changes.passedOver)
        var news: [RadioNews] = []
        for address in changes.left { news += tell(.stationLeft(address), now) }
        for address in changes.joined { news += tell(.stationJoined(address), now) }
        return news
    }

    private mutating func tell(_ kind: RadioNews.Kind, _ now: Monotonic) -> [RadioNews] {
        gate.admits(kind, at: now) ? [RadioNews(interface: name, kind)] : []
    }

    /// A client may also have peers that it talks to directly.
    private static func accessPoint(in observation: RadioObservation.Interface) -> StationFigures? {
        let stations = observation.stations.filter { $0.isAssociated != false }
        guard stations.count > 1 else { return stations.first }
        let address = observation.networks.first(where: \.isAssociated)?.address
        return stations.first { $0.address == address } ?? stations.first
    }

    /// Two access points are of one network unless their names are known and differ.
    private static func isSameNetwork(
        _ left: HardwareAddress, _ right: HardwareAddress, in networks: [BasicServiceSet]
    ) -> Bool {
        guard let first = networks.first(where: { $0.address == left })?.ssid,
            let second = networks.first(where: { $0.address == right })?.ssid
        else { return true }
        return first == second
    }
}
