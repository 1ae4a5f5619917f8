// SPDX-License-Identifier: Apache-2.0
import Network
import Synchronization
import System
import Time
import Venue

/// All group memberships of a received channel. It moves them when links change, renews them while nothing arrives, and
/// changes from a silent source to the next. The control plane calls `review`; the receive thread goes on reading
/// meanwhile.
public final class ChannelMembership: Sendable {
    public struct Options: Hashable, Sendable {
        public var silence = SilenceWatch.Waits()
        /// How long the current source may be silent before the next one is joined.
        public var failover = Nanoseconds.milliseconds(500)

        public init() {}
    }

    /// The memberships of all sockets for one group on one interface. They act together, because the host leaves a
    /// group only when no socket is a member any more.
    private struct Group {
        let address: String
        let interface: String
        var members: [Membership]
        var policy: JoinPolicy
        /// The interface that the route gave, and the `LinkState.changes` count at which it was asked for.
        var routed: (index: UInt32?, changes: Int)?
        /// The join that is to be made in this review; nil if there is none.
        var due: (attachment: LinkAttachment, isRenewal: Bool)?
    }

    private struct State {
        var groups: [Group] = []
        var failover: SourceFailover?
    }

    /// A group on an interface, as one IGMP or MLD report names it.
    private struct Place: Hashable {
        let group: String
        let interface: UInt32
    }

    /// The sockets to which the channel is sent as long as it is sent at all.
    private let expected: [Membership]
    private let selection: SourceSelection?
    private let state: Mutex<State>
    private let rejoins = Atomic<Int64>(0)
    private let linkFlaps = Atomic<Int64>(0)
    private let sourceChanges = Atomic<Int64>(0)

    /// - Parameter members: sockets that are joined, all of one channel.
    init(_ members: [Membership], _ options: Options, at now: Monotonic) {
        var state = State()
        for member in members where member.isGroup {
            let (address, interface) = (member.endpoint.address, member.endpoint.interface)
            if let index = state.groups.firstIndex(where: { $0.address == address && $0.interface == interface }) {
                state.groups[index].members.append(member)
                continue
            }
            let isExpected = members.contains {
                $0.isExpected && $0.endpoint.address == address && $0.endpoint.interface == interface
            }
            let policy = JoinPolicy(
                joined: LinkAttachment(index: member.firstInterface, session: Self.unknown), at: now,
                isExpected ? options.silence : nil)
            state.groups.append(Group(address: address, interface: interface, members: [member], policy: policy))
        }
        expected = members.filter(\.isExpected)
        let isData = expected.isEmpty
        selection = members.lazy.compactMap(\.selection).first
        state.failover = selection.map {
            SourceFailover(
                count: $0.names.count, patience: options.failover, keepsAll: isData, joinedAt: now)
        }
        self.state = Mutex(state)
    }

    /// Placeholder for the session of a link of which rtnetlink has not told yet.
    private static let unknown = 0

    /// Fills in the counters of memberships. Any thread.
    func count(into counters: inout ReceptionCounters) {
        counters.rejoins = rejoins.load(ordering: .relaxed)
        counters.linkFlaps = linkFlaps.load(ordering: .relaxed)
        counters.sourceChanges = sourceChanges.load(ordering: .relaxed)
    }

    /// Arrival of the channel's newest datagram; nil before the first. Any thread.
    public var heardAt: Monotonic? { expected.compactMap(\.heardAt).max() }

    /// Addresses of the groups, whether a link is there to receive them or not.
    public var groups: [String] { state.withLock { $0.groups.map(\.address) } }

    // MARK: Review

    /// Does what is due for all channels together, because one channel may still hold a group that another leaves. To
    /// be called whenever links change, and at least each 100 ms for the sake of source fail-over. Blocks in nothing
    /// but system calls.
    /// - Parameters:
    ///   - links: state of the interfaces; nil when rtnetlink is unavailable: all groups then stay where they were
    ///     joined.
    ///   - renewsAll: whether every group that is joined is left and joined again.
    ///   - route: gives the index of the interface toward an address.
    /// - Returns: the reports of each channel, in the order of `all`.
    public static func review(
        _ all: [ChannelMembership], links: LinkState?, at now: Monotonic, renewsAll: Bool = false,
        route: (String) -> UInt32? = RouteLookup.interface(toward:)
    ) -> [[MembershipReport]] {
        var reports = all.map { _ in [MembershipReport]() }
        var renewed: Set<Place> = []
        for (index, channel) in all.enumerated() {
            channel.state.withLock { channel.leave(&$0, links, now, renewsAll, route, &renewed, &reports[index]) }
        }
        if !renewed.isEmpty {
            for channel in all { channel.state.withLock { channel.leave(&$0, sharing: renewed) } }
        }
        for (index, channel) in all.enumerated() {
            channel.state.withLock {
                channel.join(&$0, now, &reports[index])
                channel.selectSource(&$0, now, &reports[index])
            }
        }
        return reports
    }

    private func leave(
        _ state: inout State, _ links: LinkState?, _ now: Monotonic, _ renewsAll: Bool, _ route: (String) -> UInt32?,
        _ renewed: inout Set<Place>, _ reports: inout [MembershipReport]
    ) {
        var isFlap = false
        for index in state.groups.indices {
            Self.dropAbandoned(&state.groups[index])
            for member in state.groups[index].members where member.isExpected {
                if let arrival = member.heardAt { state.groups[index].policy.heard(at: arrival) }
            }
            let wanted = Self.wanted(&state.groups[index], links, route)
            let joined = state.groups[index].policy.joined
            if let joined, joined.session == Self.unknown, let wanted, wanted.index == joined.index {
                state.groups[index].policy.adopt(wanted)
            }
            var step = state.groups[index].policy.review(wanted: wanted, at: now)
            if renewsAll, step == .stay, joined != nil { step = .renew }
            guard step != .stay else { continue }
            if let joined {
                for member in state.groups[index].members { member.leave(on: joined.index) }
                state.groups[index].policy.left()
                if step == .renew { renewed.insert(Place(group: state.groups[index].address, interface: joined.index)) }
                if step == .leave || joined.isBefore(wanted) { isFlap = true }
            }
            if step == .leave { reports.append(.linkLost(group: state.groups[index].address)) }
            state.groups[index].due = wanted.map { ($0, step == .renew) }
        }
        if isFlap { linkFlaps.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Leaves with the sockets to which nothing of use comes. Another socket of the channel is a member of the group.
    private static func dropAbandoned(_ group: inout Group) {
        guard group.members.contains(where: \.isAbandoned) else { return }
        if let joined = group.policy.joined {
            for member in group.members where member.isAbandoned { member.leave(on: joined.index) }
        }
        group.members.removeAll(where: \.isAbandoned)
    }

    /// Leaves the groups that another channel is about to renew: without that the host would send no new report.
    private func leave(_ state: inout State, sharing places: Set<Place>) {
        for index in state.groups.indices where state.groups[index].due == nil {
            guard let joined = state.groups[index].policy.joined,
                places.contains(Place(group: state.groups[index].address, interface: joined.index))
            else { continue }
            for member in state.groups[index].members { member.leave(on: joined.index) }
            state.groups[index].policy.left()
            state.groups[index].due = (joined, true)
        }
    }

    private func join(_ state: inout State, _ now: Monotonic, _ reports: inout [MembershipReport]) {
        for index in state.groups.indices {
            guard let (attachment, isRenewal) = state.groups[index].due else { continue }
            state.groups[index].due = nil
            let group = state.groups[index].address
            do throws(SystemCallError) {
                for member in state.groups[index].members {
                    let tried = member.selection == nil ? nil : state.failover?.joined
                    let sources = tried ?? (member.endpoint.sources.isEmpty ? [] : [0])
                    try member.join(sources: sources, on: attachment.index)
                }
                state.groups[index].policy.joined(on: attachment, at: now, isRenewal: isRenewal)
                if isRenewal {
                    rejoins.wrappingAdd(1, ordering: .relaxed)
                    reports.append(.renewed(group: group))
                } else {
                    state.failover?.restarted(at: now)
                    reports.append(.linkFollowed(group: group, interface: attachment.index))
                }
            } catch {
                for member in state.groups[index].members { member.leave(on: attachment.index) }
                state.groups[index].policy.joinFailed(on: attachment, at: now)
                reports.append(.failed(error))
            }
        }
    }

    private static func wanted(
        _ group: inout Group, _ links: LinkState?, _ route: (String) -> UInt32?
    ) -> LinkAttachment? {
        guard let links else {
            return group.policy.joined ?? LinkAttachment(index: group.members[0].firstInterface, session: unknown)
        }
        guard group.interface.isEmpty else { return links.attachment(named: group.interface) }
        if group.routed?.changes != links.changes { group.routed = (route(group.address), links.changes) }
        // Without a routing answer (an emulator has none) only a group joined on index 0, by the kernel's choice, is
        // kept.
        guard let index = group.routed?.index else { return group.policy.joined.flatMap { $0.index == 0 ? $0 : nil } }
        return links.attachment(index: index)
    }

    // MARK: Sources

    private func selectSource(_ state: inout State, _ now: Monotonic, _ reports: inout [MembershipReport]) {
        guard let selection, var failover = state.failover else { return }
        let chosen = state.groups.flatMap { group in
            group.members.filter { $0.selection != nil }.map { (member: $0, link: group.policy.joined) }
        }
        guard chosen.contains(where: { $0.link != nil }) else { return }
        var actions: [SourceFailover.Action] = []
        if let heard = selection.heard,
            let arrival = chosen.filter({ failover.keepsAll || $0.member.isExpected }).compactMap(\.member.heardAt)
                .max()
        {
            let before = failover.current
            actions = failover.heard(heard, at: arrival)
            if failover.current != before {
                sourceChanges.wrappingAdd(1, ordering: .relaxed)
                reports.append(.sourceChanged(selection.names[heard]))
            }
        }
        let tried = failover.tick(at: now)
        if !tried.isEmpty || failover.keepsAll && failover.isSilent(at: now) { selection.search() }
        for action in actions + tried {
            for case (let member, let link?) in chosen {
                switch action {
                case .leave(let source): member.leave(source: source, on: link.index)
                case .join(let source):
                    do throws(SystemCallError) {
                        try member.join(source: source, on: link.index)
                        if member === chosen[0].member { reports.append(.sourceTried(selection.names[source])) }
                    } catch {
                        reports.append(.failed(error))
                    }
                }
            }
        }
        state.failover = failover
    }
}

extension LinkAttachment {
    /// Whether this is an earlier session of the same link: it went down and came up in between.
    fileprivate func isBefore(_ other: LinkAttachment?) -> Bool {
        guard let other, session > 0 else { return false }
        return other.index == index && other.session != session
    }
}
