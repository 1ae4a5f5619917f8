// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import Inspection
import LineUp
import Network
import Radio
import Radios
import Settings
import System
import Time
import Venue

/// Evidence of wires, radios, groups and announcements.
extension Diagnosis {
    /// Seconds for which a router has to be silent: it may be asked once in five.
    private static let longestSilence = 15
    /// Packets of which a share that is damaged says something.
    private static let enoughPackets: UInt64 = 1_000

    func network(since before: CountHistory.Look?) -> Evidence.Network {
        var network = Evidence.Network()
        let figures = sources.links()
        network.interfaces = NetworkInterface.all().map { own in
            evidence(of: own, figures.first { $0.name == own.name }, before?.links[own.name])
        }
        network.wanted = settings.network.interface
        let groups = groups
        if network.wanted == nil, let group = groups.first, let index = RouteLookup.interface(toward: group) {
            network.routed = NetworkInterface.all().map(\.name).first { DatagramSocket.interfaceIndex($0) == index }
        }
        network.needsIPv4 = groups.isEmpty || groups.contains { !$0.contains(":") }
        network.silentGateway = silentLooks >= Self.longestSilence ? sources.silentGateway() : nil
        network.isJoined = sources.isListening()
        network.joinFailures = sources.joinFailures()
        return network
    }

    /// Addresses of the groups that the box receives, those of announcements first.
    private var groups: [String] {
        settings.announcements.groups.map(\.address)
            + regions.all.compactMap { $0.player.current?.source.channel?.transport.address }
    }

    private func evidence(
        of own: NetworkInterface, _ figures: LinkFigures?, _ before: LinkFigures.Counters?
    ) -> Evidence.Network.Interface {
        var interface = Evidence.Network.Interface(own, addresses: LocalInterface.addresses(of: own.name))
        interface.speed = figures?.speed.map(Int.init)
        interface.isHalfDuplex = figures?.duplex.map { $0 == .half }
        if let now = figures?.counters, let before, now.packetsReceived >= before.packetsReceived + Self.enoughPackets,
            now.receiveErrors >= before.receiveErrors
        {
            let (errors, packets) = (
                now.receiveErrors - before.receiveErrors, now.packetsReceived - before.packetsReceived
            )
            interface.damagedPPM = Int(clamping: min(errors, packets) * 1_000_000 / packets)
        }
        // An access point of its own is with nobody.
        if let radio = radio.radios.first(where: { $0.name == own.name }), radio.interface.mode ?? .station == .station
        {
            interface.association =
                radio.isAssociated
                ? .with(
                    accessPoint: radio.accessPoint ?? radio.bssid?.description ?? radio.ssid ?? "an access point",
                    signal: radio.signal)
                : .none(because: radio.lastDisconnect?.reason?.description)
        }
        return interface
    }

    func announcements(at now: Monotonic) -> Evidence.Announcements {
        let current = lineUp.current
        var heard = Evidence.Announcements()
        heard.groups = settings.announcements.groups.map(\.description)
        heard.listened = listening.map { (now - $0).seconds } ?? 0
        heard.sinceNewest = current.streamers.filter { $0.isAllowed && $0.channelCount > 0 }.map(\.lastHeard).max()
            .map { max(.zero, now - $0).seconds }
        heard.announcedChannels = current.listed.count { $0.origin == .announcement }
        heard.ownEntries = current.listed.count { $0.origin != .announcement }
        heard.refusals = current.faults.values.sorted { $0.sender.description < $1.sender.description }.compactMap {
            fault -> Evidence.Announcements.Refusal? in
            switch fault.reason {
            case .unusableRepair: nil  // its channel is listed
            case .licenseMismatch: Evidence.Announcements.Refusal(fault, isOfLicence: true)
            default: Evidence.Announcements.Refusal(fault, isOfLicence: false)
            }
        }
        heard.awaited = regions.all.compactMap(\.awaitsChannel).filter { current.entry(matching: $0) == nil }
        let used = settings.network.interface
        heard.otherInterfaces = NetworkInterface.all().filter { $0.isUp && !$0.isLoopback && $0.name != used }
            .map(\.name).sorted()
        if used == nil { heard.otherInterfaces = [] }
        return heard
    }

    var licence: Evidence.Licence {
        let own = settings.license
        let isThere = !own.venueName.isEmpty
        return Evidence.Licence(
            own: isThere ? "\(own.venueName), \(own.contentOwner), \(own.appDeveloper)" : nil,
            missedVenue: health.snapshot.missedVenue)
    }
}

extension Evidence.Announcements.Refusal {
    fileprivate init(_ fault: LineUpFault, isOfLicence: Bool) {
        self.init(sender: "\(fault.sender)", why: "\(fault.reason)", isOfLicence: isOfLicence)
    }
}
