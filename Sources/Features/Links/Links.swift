// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import Network
import Reception
import System
import Time
import Venue

/// The feature that follows the links of the box: when a link goes down and comes up, the multicast groups are left and
/// joined with it (SVM-05). It also joins silent groups again and changes to further sources of a channel.
public final class Links: Feature {
    public static let summary = """
        interfaces that go down and come up, and the multicast groups that are left and joined with them; silent \
        groups and sources
        """

    /// What follows the links. The product provides this value.
    public struct Followers {
        /// The memberships of all channels that are received.
        public var memberships: () -> [(channel: Channel, membership: ChannelMembership)]
        /// Called at start, and with each change after the memberships have been reviewed; nil when rtnetlink is
        /// unavailable.
        public var changed: (LinkState?) -> Void

        public init(
            memberships: @escaping () -> [(channel: Channel, membership: ChannelMembership)],
            changed: @escaping (LinkState?) -> Void
        ) {
            self.memberships = memberships
            self.changed = changed
        }
    }

    public static var events: [EventDescription] {
        [
            EventDescription(LinkChanged.self), EventDescription(GroupsRejoined.self),
            EventDescription(SourceChanged.self),
        ]
    }

    private let context: FeatureContext
    private let log: Log
    private let followers: Followers
    private let interfaces: InterfaceFollower
    /// A group that a channel is received by.
    private struct ReceivedGroup: Hashable {
        let address: String
        let channel: String
    }

    /// The groups of the last review. The set is empty while debug lines are switched off.
    private var received: Set<ReceivedGroup> = []
    /// nil while no received channel has several sources.
    private var sourceWatch: EventLoop.Timer?

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "network")
        followers = context.provided(Followers.self)
        interfaces = InterfaceFollower(loop: context.loop, log: log)
        context.settings.attach(["network"]) { [weak self] (next) throws(Status) in
            try self?.check(next.settings.network.interface)
            return Preparation(undo: {}, commit: { () throws(Status) in })
        }
    }

    /// nil when rtnetlink is unavailable.
    public var state: LinkState? { interfaces.links }

    public func start() {
        interfaces.start { [unowned self] in changed($0) }
        followers.changed(state)
    }

    public func tick(at now: Monotonic) { review() }

    public func stop() {
        watchSources(false)
        interfaces.stop()
    }

    /// Leaves and joins all groups again, because the network may have forgotten them while the machine was suspended.
    public func rejoin() { review(.resume) }

    /// Refuses an interface on which nothing could be joined. One that is down is joined when it comes up.
    /// - Parameter interface: nil if the route decides.
    private func check(_ interface: String?) throws(Status) {
        guard let interface, DatagramSocket.interfaceIndex(interface) == nil else { return }
        let up = state.map { "; those that are up: \($0.up.sorted().joined(separator: ", "))" } ?? ""
        throw .failure(
            .configuration, "interface '\(interface)' is not there: expected an interface of the box\(up)")
    }

    /// Reviews memberships at once and does not wait for the next tick: the picture depends on them.
    private func changed(_ changes: [LinkChange]) {
        review()
        followers.changed(state)
        for change in changes {
            switch change {
            case .link(let name, let isUp):
                log(.notice, isUp ? "link is up" : "link is down", ["interface": name])
                context.emit(LinkChanged(interface: name, isUp: isUp))
            case .address(let name): log(.info, "link has an address", ["interface": name])
            case .routes: log(.debug, "routes changed")
            }
        }
    }

    /// Reviews all memberships in one call, so that every socket leaves a group before any socket joins it again.
    /// - Parameter renewal: why groups are renewed: those that are silent, or after a suspension all.
    private func review(_ renewal: GroupsRejoined.Reason = .silence) {
        let joined = followers.memberships()
        watchSources(joined.contains { !$0.channel.transport.furtherSources.isEmpty })
        logGroups(of: joined)
        guard !joined.isEmpty else { return }
        let reports = ChannelMembership.review(
            joined.map(\.membership), links: state, at: SystemClock.monotonic(), renewsAll: renewal == .resume)
        for ((channel, _), reports) in zip(joined, reports) {
            for report in reports { tell(report, of: channel) }
            for event in GroupsRejoined.events(of: reports, channel, renewal: renewal) { context.emit(event) }
        }
    }

    /// Reviews memberships ten times a second while a channel has another source to change to.
    private func watchSources(_ isWatched: Bool) {
        guard isWatched != (sourceWatch != nil) else { return }
        if let sourceWatch { context.loop.cancel(sourceWatch) }
        sourceWatch = isWatched ? context.loop.every(.milliseconds(100)) { [unowned self] in review() } : nil
    }

    /// Logs at debug which groups are received since the last review and which are no longer, for whatever reason
    /// (SVM-25). All that are received come first when debug lines are switched on.
    private func logGroups(of joined: [(channel: Channel, membership: ChannelMembership)]) {
        let before = received
        received = []
        guard log.admits(.debug) else { return }
        for (channel, membership) in joined {
            for group in membership.groups { received.insert(ReceivedGroup(address: group, channel: channel.name)) }
        }
        for one in received.subtracting(before) {
            log(.debug, "group received", ["group": one.address, "channel": one.channel])
        }
        for one in before.subtracting(received) {
            log(.debug, "group no longer received", ["group": one.address, "channel": one.channel])
        }
    }

    /// Logs what a review has changed; joins and leaves at debug, which `log.subsystems.network` makes visible.
    private func tell(_ report: MembershipReport, of channel: Channel) {
        switch report {
        case .linkLost(let group): log(.debug, "group left", ["group": group, "channel": channel.name])
        case .linkFollowed(let group, let interface):
            let name = state?.name(of: interface) ?? "\(interface)"
            log(.debug, "group joined", ["group": group, "interface": name, "channel": channel.name])
        case .renewed(let group): log(.debug, "group joined again", ["group": group, "channel": channel.name])
        case .sourceTried(let source): log(.debug, "source tried", ["source": source, "channel": channel.name])
        case .sourceChanged(let source):
            log(.notice, "another source is heard", ["source": source, "channel": channel.name])
            context.emit(SourceChanged(id: channel.id.text, channel: channel.name, source: source))
        case .failed(let error): log(.debug, "not joined", ["error": error, "channel": channel.name])
        }
    }
}
