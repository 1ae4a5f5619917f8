// SPDX-License-Identifier: Apache-2.0
import JSON
import Network
import Reception
import System
import Venue

/// Links that come and go, and what is joined on them (SVM-05).
extension ControlPlane {
    func startNetwork() {
        network.start { [unowned self] in networkChanged($0) }
    }

    func stopNetwork() {
        watchSources(false)
        network.stop()
    }

    /// At once, not with the next tick: the picture waits.
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

    /// Once a second and with every change. All in one call: a group is left by every socket before any joins it again.
    func reviewMemberships() {
        let joined = media.memberships + data.memberships
        watchSources(joined.contains { !$0.channel.transport.furtherSources.isEmpty })
        guard !joined.isEmpty else { return }
        let reports = ChannelMembership.review(
            joined.map(\.membership), links: network.links, at: SystemClock.monotonic())
        for ((channel, _), reports) in zip(joined, reports) {
            for report in reports { tell(report, of: channel) }
            tellRejoined(reports, of: channel)
        }
    }

    /// That a source is silent is found out ten times as fast where there are others.
    private func watchSources(_ isWatched: Bool) {
        guard isWatched != (sourceWatch != nil) else { return }
        if let sourceWatch { cancel(sourceWatch) }
        sourceWatch = isWatched ? every(.milliseconds(100)) { [unowned self] in reviewMemberships() } : nil
    }

    /// One event of all groups that were joined together.
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

    /// Each join and leave is in the log for who looks for it (SVM-25): `log.subsystems.network` says `debug`.
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
