// SPDX-License-Identifier: Apache-2.0
import Network
import Synchronization
import System
import Time
import Venue

/// All memberships of a received channel: kept on the link as it is, renewed when nothing comes, led from a silent source
/// to the next. Reviewed by the control plane; its receive thread goes on reading meanwhile.
public final class ChannelMembership: Sendable {
    public struct Options: Hashable, Sendable {
        public var silence = SilenceWatch.Waits()
        /// Silence of the heard source until the next is joined.
        public var failover = Nanoseconds.milliseconds(500)

        public init() {}
    }

    /// A group is left only when no socket of ours is a member any more: its sockets act together.
    private struct Group {
        let address: String
        let interface: String
        var members: [Membership]
        var policy: JoinPolicy
        /// Where the route led when the links were as they were then.
        var routed: (index: UInt32?, changes: Int)?
        /// What is to be joined; nil: nothing.
        var due: (attachment: LinkAttachment, isRenewal: Bool)?
    }

    private struct State {
        var groups: [Group] = []
        var failover: SourceFailover?
    }

    /// Where a report is sent for a group.
    private struct Place: Hashable {
        let group: String
        let interface: UInt32
    }

    private let selection: SourceSelection?
    private let state: Mutex<State>
    private let rejoins = Atomic<Int64>(0)
    private let linkFlaps = Atomic<Int64>(0)
    private let sourceChanges = Atomic<Int64>(0)

    /// - Parameter members: joined, of one transport.
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
        selection = members.lazy.compactMap(\.selection).first
        state.failover = selection.map {
            SourceFailover(count: $0.names.count, patience: options.failover, joinedAt: now)
        }
        self.state = Mutex(state)
    }

    /// Session of a link that nobody has told of.
    private static let unknown = 0

    /// Any thread.
    func count(into counters: inout ReceptionCounters) {
        counters.rejoins = rejoins.load(ordering: .relaxed)
        counters.linkFlaps = linkFlaps.load(ordering: .relaxed)
        counters.sourceChanges = sourceChanges.load(ordering: .relaxed)
    }

    // MARK: Review

    /// Does what is due, for all channels together: what one leaves another may still hold. To be called whenever links
    /// change, and often enough for the fail-over (each 100 ms). Waits for nothing but the kernel.
    /// - Parameters:
    ///   - links: nil: nobody tells how they are; all stays where it was joined.
    ///   - route: index of the interface toward an address.
    /// - Returns: for each channel, in the same order.
    public static func review(
        _ all: [ChannelMembership], links: LinkState?, at now: Monotonic,
        route: (String) -> UInt32? = RouteLookup.interface(toward:)
    ) -> [[MembershipReport]] {
        var reports = all.map { _ in [MembershipReport]() }
        var renewed: Set<Place> = []
        for (index, channel) in all.enumerated() {
            channel.state.withLock { channel.leave(&$0, links, now, route, &renewed, &reports[index]) }
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
        _ state: inout State, _ links: LinkState?, _ now: Monotonic, _ route: (String) -> UInt32?,
        _ renewed: inout Set<Place>, _ reports: inout [MembershipReport]
    ) {
        var isFlap = false
        for index in state.groups.indices {
            for member in state.groups[index].members where member.isExpected {
                if let arrival = member.heardAt { state.groups[index].policy.heard(at: arrival) }
            }
            let wanted = Self.wanted(&state.groups[index], links, route)
            let joined = state.groups[index].policy.joined
            if let joined, joined.session == Self.unknown, let wanted, wanted.index == joined.index {
                state.groups[index].policy.adopt(wanted)
            }
            let step = state.groups[index].policy.review(wanted: wanted, at: now)
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

    /// Another channel renews groups that this one has, too.
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
        // Where nobody answers such questions (an emulator) the kernel has chosen for itself.
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
            let arrival = chosen.filter(\.member.isExpected).compactMap(\.member.heardAt).max()
        {
            let before = failover.current
            actions = failover.heard(heard, at: arrival)
            if failover.current != before {
                sourceChanges.wrappingAdd(1, ordering: .relaxed)
                reports.append(.sourceChanged(selection.names[heard]))
            }
        }
        let tried = failover.tick(at: now)
        if !tried.isEmpty { selection.search() }
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
    /// The same link, which went and came back meanwhile.
    fileprivate func isBefore(_ other: LinkAttachment?) -> Bool {
        guard let other, session > 0 else { return false }
        return other.index == index && other.session != session
    }
}
