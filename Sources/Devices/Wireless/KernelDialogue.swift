// SPDX-License-Identifier: Apache-2.0
import Bytes
import NetlinkMessages
import Radio
import System
import Time

/// Asks the kernel of radios and wires, one question after the other. The kernel answers within milliseconds, unless it
/// has to ask a driver that takes longer.
/// - Thread: one, which may wait for the kernel.
final class KernelDialogue {
    /// How long an answer is waited for.
    private static let patience = Nanoseconds.seconds(2)
    // Limits on what one answer lists.
    static let mostInterfaces = 64
    static let mostStations = 2_048
    static let mostNetworks = 1_024
    private static let mostSurveys = 4_096
    private static let mostLinks = 1_024

    private let wait: DescriptorWait
    private let generic: NetlinkSocket
    private let route: NetlinkSocket
    private var lastSequence: UInt32 = 0

    init(_ wait: DescriptorWait) throws(SystemCallError) {
        self.wait = wait
        generic = try NetlinkSocket(.generic)
        route = try NetlinkSocket(.route)
    }

    // MARK: Families

    /// nil if the kernel does not have the family, or not yet.
    func family(_ name: String) throws(KernelSilence) -> NetlinkFamily? {
        var family: NetlinkFamily?
        try ask(generic, NetlinkFamily.request(name: name, sequence: nextSequence())) { (datagram) throws(WireError) in
            for message in try FamilyMessage.parse(datagram) {
                switch message {
                case .family(let found):
                    family = found
                    return true
                case .failed: return true
                case .other: break
                }
            }
            return false
        }
        return family
    }

    // MARK: Radios

    /// - Parameter family: nl80211's.
    func observe(_ family: UInt16) throws(KernelSilence) -> RadioObservation {
        var observation = RadioObservation()
        for message in try list(.interfaces, family, atMost: Self.mostInterfaces) {
            if case .interface(let interface) = message, interface.index != nil {
                observation.interfaces.append(.init(interface))
            }
        }
        observation.interfaces.sort { ($0.interface.index ?? 0) < ($1.interface.index ?? 0) }
        for index in observation.interfaces.indices { try complete(&observation.interfaces[index], family) }
        for message in try list(.regulatoryDomains, family, atMost: Self.mostInterfaces) {
            if case .regulatoryDomain(let domain) = message { observation.regulatoryDomains.append(domain) }
        }
        return observation
    }

    private func complete(_ found: inout RadioObservation.Interface, _ family: UInt16) throws(KernelSilence) {
        guard let index = found.interface.index else { return }
        let isClient = found.interface.mode == .station
        guard isClient || found.interface.mode == .accessPoint else { return }
        for message in try list(.stations(of: index), family, atMost: Self.mostStations) {
            if case .station(let figures) = message { found.stations.append(figures) }
        }
        for message in try list(.surveys(of: index), family, atMost: Self.mostSurveys) {
            if case .survey(let survey) = message { found.surveys.append(survey) }
        }
        guard isClient else { return }
        for message in try list(.scanResults(of: index), family, atMost: Self.mostNetworks) {
            if case .basicServiceSet(let network) = message { found.networks.append(network) }
        }
    }

    /// ENOENT, ENODEV, EOPNOTSUPP and ENETDOWN: the interface has gone or is down, or the driver does not tell.
    private static let meansNothing: Set<UInt32> = [2, 19, 95, 100]

    /// What drivers do not have, and what an interface that has gone had, is an empty list. Another failure is none: who
    /// took it for one would see a connection end.
    private func list(
        _ request: WirelessRequest, _ family: UInt16, atMost limit: Int
    ) throws(KernelSilence) -> [WirelessMessage] {
        var messages: [WirelessMessage] = []
        var silence: UInt32?
        try ask(generic, request.octets(family: family, sequence: nextSequence())) { (datagram) throws(WireError) in
            for message in try WirelessMessage.parse(datagram, family: family) {
                switch message {
                case .done: return true
                case .failed(let errno):
                    silence = Self.meansNothing.contains(errno) ? nil : errno
                    return true
                case .other: break
                default: if messages.count < limit { messages.append(message) }
                }
            }
            return false
        }
        if let silence { throw KernelSilence(description: "\(request): \(Errno(rawValue: CInt(clamping: silence)))") }
        return messages
    }

    // MARK: Wires

    /// All interfaces of the box, radios among them, in the order of their indices.
    /// - Parameter ethernet: number of ethtool's family; nil if the kernel does not have it.
    func links(_ ethernet: UInt16?) throws(KernelSilence) -> [LinkFigures] {
        var links: [UInt32: LinkFigures] = [:]
        try ask(route, RouteRequest.links.octets) { (datagram) throws(WireError) in
            for message in try LinkMessage.parse(datagram) {
                switch message {
                case .link(let figures): if links.count < Self.mostLinks { links[figures.index] = figures }
                case .done, .failed: return true
                case .other: break
                }
            }
            return false
        }
        guard let ethernet else { return links.values.sorted { $0.index < $1.index } }
        let request = EthernetMessage.request(family: ethernet, sequence: nextSequence())
        try ask(generic, request) { (datagram) throws(WireError) in
            for message in try EthernetMessage.parse(datagram, family: ethernet) {
                switch message {
                case .modes(let index, let speed, let duplex):
                    links[index]?.speed = speed
                    links[index]?.duplex = duplex
                case .done, .failed: return true
                case .other: break
                }
            }
            return false
        }
        return links.values.sorted { $0.index < $1.index }
    }

    // MARK: Questions

    private func nextSequence() -> UInt32 {
        lastSequence = lastSequence == .max ? 1 : lastSequence + 1
        return lastSequence
    }

    /// - Parameter take: takes a datagram of the answer, and returns whether it was the last.
    private func ask(
        _ socket: NetlinkSocket, _ request: [UInt8], _ take: (UnsafeRawBufferPointer) throws(WireError) -> Bool
    ) throws(KernelSilence) {
        let deadline = SystemClock.monotonic() + Self.patience
        do {
            try socket.send(request)
            while true {
                switch try socket.receive() {
                case .datagram(let bytes): if try take(bytes) { return }
                case .lost: throw KernelSilence(description: "an answer is incomplete")
                case .nothing:
                    guard SystemClock.monotonic() < deadline else {
                        throw KernelSilence(description: "no answer in time")
                    }
                    _ = wait.wait(for: [socket.rawValue], until: deadline)
                }
            }
        } catch {
            throw error as? KernelSilence ?? KernelSilence(description: "\(error)")
        }
    }
}

/// Why the kernel gave no answer. The dialogue cannot be used any more: the answer may still come.
struct KernelSilence: Error, CustomStringConvertible {
    let description: String
}
