// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Markup
import Time
import Venue

/// Finds televisions on the link by SSDP and DIAL, without a socket: it says what to send and what to fetch by HTTP, takes
/// what comes, and reports who is there.
///
/// A pure value: any messages and documents may be given. A device is believed only about itself: what it announces has to
/// be at the address from which it speaks.
public struct TelevisionSearch: Sendable {
    public enum Action: Hashable, Sendable {
        /// To `DiscoveryMessage.address` and `port`, from the socket that also receives the answers.
        case send([UInt8])
        /// Fetch it, at most `MarkupElement.longest` octets, without following redirections, and hand the result to
        /// `documentCame`.
        case fetch(HTTPURL, of: String)
        /// A television was found, or has other services than before.
        case found(Television)
        case lost(Television)
    }

    private enum Stage: Hashable {
        /// Its description is fetched, since then.
        case describing(since: Monotonic)
        /// What its application says is fetched.
        case asking(name: String, at: HTTPURL, since: Monotonic)
        /// It is not asked again before that.
        case known(until: Monotonic)
    }

    private struct Device {
        var location: HTTPURL
        let address: NumericAddress
        /// Of its newest announcement.
        var bootID: Int?
        var expires: Monotonic
        var stage: Stage
        /// Reported and not taken back.
        var television: Television?
    }

    static let mostDevices = 64
    /// One host that invents devices leaves room for others.
    static let mostOfOneAddress = 8
    /// Until there is a television, and from then on.
    static let (eagerInterval, interval) = (Nanoseconds.seconds(10), Nanoseconds.seconds(60))
    /// A television that speaks only when it is asked is asked so long before it is taken for gone, and again each time
    /// after the second one.
    static let (reminder, reminderInterval) = (Nanoseconds.seconds(10), Nanoseconds.seconds(3))
    /// After the first search: datagrams are lost.
    static let repeats = [Nanoseconds.milliseconds(500), .milliseconds(1_500)]
    static let fetchTimeout = Nanoseconds.seconds(10)
    /// How long a description holds, and how long a device without one is left alone.
    static let refresh = Nanoseconds.seconds(60)
    /// What devices say of how long they are there is kept within these.
    static let ages = 60...86_400
    private static let maximumWait = 2

    private var devices: [String: Device] = [:]
    private var nextSearch: Monotonic
    private var remainingRepeats = Self.repeats[...]
    public private(set) var counters = TelevisionSearchCounters()

    public init(at now: Monotonic) { nextSearch = now }

    /// Searches again at once, as on a link that was not there before.
    public mutating func linkCame(at now: Monotonic) {
        nextSearch = now
        remainingRepeats = Self.repeats[...]
    }

    /// In the order of their unique names.
    public var televisions: [Television] {
        devices.values.compactMap(\.television).sorted { $0.uniqueName < $1.uniqueName }
    }

    public var nextTick: Monotonic {
        devices.values.reduce(nextSearch) { next, device in
            let due: Monotonic =
                switch device.stage {
                case .describing(let since), .asking(_, _, let since): since + Self.fetchTimeout
                case .known: device.expires
                }
            return min(next, due, device.expires)
        }
    }

    public mutating func tick(at now: Monotonic, _ random: inout some RandomNumberGenerator) -> [Action] {
        var actions: [Action] = []
        for (name, device) in devices.sorted(by: { $0.key < $1.key }) {
            if device.expires <= now {
                actions += remove(name)
                continue
            }
            switch device.stage {
            case .describing(let since) where since + Self.fetchTimeout <= now,
                .asking(_, _, let since) where since + Self.fetchTimeout <= now:
                actions += failed(name, at: now)
            default: break
            }
        }
        if nextSearch <= now, let search = DiscoverySearch(maximumWait: Self.maximumWait) {
            counters.searches += 1
            actions.append(.send(DiscoveryMessage.search(search).octets))
            let span = remainingRepeats.popFirst() ?? (televisions.isEmpty ? Self.eagerInterval : Self.interval)
            // Boxes that were switched on together shall not search together for ever.
            nextSearch = now + Nanoseconds(Int64.random(in: span.count * 3 / 4...span.count * 5 / 4, using: &random))
            if let end = devices.values.filter({ $0.television != nil }).map(\.expires).min() {
                nextSearch = min(nextSearch, max(now + Self.reminderInterval, end - Self.reminder))
            }
        }
        return actions
    }

    /// - Parameter isOnLink: whether the sender is in a network of the interface by which the message came.
    public mutating func datagramReceived(
        _ bytes: UnsafeRawBufferPointer, from sender: NumericAddress, isOnLink: Bool, at now: Monotonic
    ) -> [Action] {
        guard isOnLink else {
            counters.messagesForeign += 1
            return []
        }
        // What is wrong with it does not matter; it is counted.
        guard let message = try? DiscoveryMessage(bytes) else {
            counters.messagesMalformed += 1
            return []
        }
        switch message {
        case .search: return []  // of another client
        case .answer(let said), .alive(let said):
            guard said.target == DiscoverySearch.dial else { return [] }
            guard said.location.host == .address(sender) else {
                counters.messagesForeign += 1
                return []
            }
            return announced(said, by: sender, at: now)
        case .byebye(let target, let name):
            guard target == DiscoverySearch.dial, let device = devices[name] else { return [] }
            guard device.address == sender else {
                counters.messagesForeign += 1
                return []
            }
            return remove(name)
        }
    }

    private mutating func announced(
        _ said: DiscoveryAnnouncement, by sender: NumericAddress, at now: Monotonic
    ) -> [Action] {
        let age = min(max(said.maximumAge, Self.ages.lowerBound), Self.ages.upperBound)
        let expires = now + .seconds(Int64(age))
        guard var device = devices[said.uniqueName] else {
            guard makeRoom(for: sender) else {
                counters.devicesLeftOut += 1
                return []
            }
            devices[said.uniqueName] = Device(
                location: said.location, address: sender, bootID: said.bootID, expires: expires,
                stage: .describing(since: now))
            return [.fetch(said.location, of: said.uniqueName)]
        }
        // Another one by the same name, which cannot take its place before it is gone.
        guard device.address == sender else {
            counters.messagesForeign += 1
            return []
        }
        device.expires = expires
        var actions: [Action] = []
        let isAnother = device.location != said.location || device.bootID != said.bootID
        device.bootID = said.bootID
        if case .known(let until) = device.stage, isAnother || until <= now {
            device.location = said.location
            device.stage = .describing(since: now)
            actions = [.fetch(said.location, of: said.uniqueName)]
        }
        devices[said.uniqueName] = device
        return actions
    }

    /// What came of a fetch.
    /// - Parameters:
    ///   - document: nil if none came.
    ///   - applications: the field `Application-URL` of the answer; nil if there is none.
    public mutating func documentCame(
        _ document: [UInt8]?, from url: HTTPURL, of name: String, applications: String? = nil, at now: Monotonic
    ) -> [Action] {
        guard let device = devices[name] else { return [] }
        // Whatever is wrong with it: it is counted, and the device is left alone for a while.
        let root = document.flatMap { try? MarkupElement(parsing: $0) }
        switch device.stage {
        case .describing where url == device.location:
            guard let description = root.flatMap({ DeviceDescription($0) }),
                let base = applications.flatMap({ HTTPURL($0) }), base.host == .address(device.address),
                let application = base.appending(CompanionApplication.name)
            else { return failed(name, at: now) }
            devices[name]?.stage = .asking(name: description.friendlyName, at: application, since: now)
            return [.fetch(application, of: name)]
        case .asking(let friendlyName, url, _):
            guard var services = root.flatMap({ CompanionApplication($0) }) else { return failed(name, at: now) }
            if let url = services.contentInformation, url.host != .address(device.address) {
                counters.messagesForeign += 1
                services.contentInformation = nil
            }
            let television = Television(
                uniqueName: name, name: friendlyName, address: device.address, services: services)
            let isNew = device.television != television
            devices[name]?.television = television
            devices[name]?.stage = .known(until: now + Self.refresh)
            return isNew ? [.found(television)] : []
        default: return []
        }
    }

    /// One of the devices that are no televisions has to go if there are too many, or too many of one address.
    private mutating func makeRoom(for address: NumericAddress) -> Bool {
        let isCrowded = devices.values.count { $0.address == address } >= Self.mostOfOneAddress
        guard isCrowded || devices.count >= Self.mostDevices else { return true }
        let other = devices.filter { _, device in
            guard case .known = device.stage, device.television == nil else { return false }
            return !isCrowded || device.address == address
        }
        guard let name = other.keys.min() else { return false }
        devices[name] = nil
        return true
    }

    private mutating func failed(_ name: String, at now: Monotonic) -> [Action] {
        counters.descriptionsFailed += 1
        // What was known of it may still be so.
        devices[name]?.stage = .known(until: now + Self.refresh)
        return []
    }

    private mutating func remove(_ name: String) -> [Action] {
        guard let television = devices.removeValue(forKey: name)?.television else { return [] }
        return [.lost(television)]
    }
}
