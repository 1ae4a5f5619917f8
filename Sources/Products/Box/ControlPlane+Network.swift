// SPDX-License-Identifier: Apache-2.0
import JSON
import Network
import Reception
import System
import Venue

/// Links that go down and come up, and the groups that are left and joined with them (SVM-05).
extension ControlPlane {
    func startNetwork() {
        network.start { [unowned self] in networkChanged($0) }
    }

    func stopNetwork() {
        watchSources(false)
        network.stop()
    }

    /// Joins groups at once and does not wait for the next tick: the picture depends on them.
    private func networkChanged(_ changes: [LinkChange]) {
        reviewMemberships()
        listener?.follow(network.links)
        joinMissing()
        for change in changes {
            switch change {
            case .link(let name, let isUp):
                network.log(.notice, isUp ? "link is up" : "link is down", ["interface": name])
                emit(.network, "link", ["interface": .string(name), "isUp": .bool(isUp)])
            case .address(let name): network.log(.info, "link has an address", ["interface": name])
            case .routes: network.log(.debug, "routes changed")
            }
        }
    }

    /// Called once a second and with every change of a link. All memberships are reviewed in one call, so that every
    /// socket leaves a group before any socket joins it again.
    func reviewMemberships() {
        let joined = media.memberships + dataChannels.memberships
        watchSources(joined.contains { !$0.channel.transport.furtherSources.isEmpty })
        guard !joined.isEmpty else { return }
        let reports = ChannelMembership.review(
            joined.map(\.membership), links: network.links, at: SystemClock.monotonic())
        for ((channel, _), reports) in zip(joined, reports) {
            for report in reports { tell(report, of: channel) }
            tellRejoined(reports, of: channel)
        }
    }

    /// Reviews memberships ten times a second while a channel has another source to change to.
    private func watchSources(_ isWatched: Bool) {
        guard isWatched != (sourceWatch != nil) else { return }
        if let sourceWatch { cancel(sourceWatch) }
        sourceWatch = isWatched ? every(.milliseconds(100)) { [unowned self] in reviewMemberships() } : nil
    }

    /// Emits one event for all groups that were joined again for the same reason.
    private func tellRejoined(_ reports: [MembershipReport], of channel: Channel) {
        var groups: (silent: [JSONValue], followed: [JSONValue]) = ([], [])
        for report in reports {
            switch report {
            case .renewed(let group): groups.silent.append(.string(group))
            case .linkFollowed(let group, _): groups.followed.append(.string(group))
            default: break
            }
        }
        for (why, groups) in [("silence", groups.silent), ("link", groups.followed)] where !groups.isEmpty {
            emit(
                .channels, "rejoined",
                [
                    "id": .string(channel.id.description), "channel": .string(channel.name), "why": .string(why),
                    "groups": .array(groups),
                ])
        }
    }

    /// Logs each join and leave at debug, which `log.subsystems.network` makes visible (SVM-25).
    private func tell(_ report: MembershipReport, of channel: Channel) {
        switch report {
        case .linkLost(let group): network.log(.debug, "group left", ["group": group, "channel": channel.name])
        case .linkFollowed(let group, let interface):
            network.log(
                .debug, "group joined",
                [
                    "group": group, "interface": network.links?.name(of: interface) ?? "\(interface)",
                    "channel": channel.name,
                ])
        case .renewed(let group):
            network.log(.debug, "silent group rejoined", ["group": group, "channel": channel.name])
        case .sourceTried(let source):
            network.log(.debug, "source tried", ["source": source, "channel": channel.name])
        case .sourceChanged(let source):
            network.log(.notice, "another source is heard", ["source": source, "channel": channel.name])
            emit(
                .channels, "sourceChanged",
                ["id": .string(channel.id.description), "channel": .string(channel.name), "source": .string(source)])
        case .failed(let error): network.log(.debug, "not joined", ["error": error, "channel": channel.name])
        }
    }
}
