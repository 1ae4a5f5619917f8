// SPDX-License-Identifier: Apache-2.0
import Playback
import Presentation
import Reporting
import Settings
import System
import Venue

extension ControlPlane {
    func healthChanged(_ changes: [HealthMonitor.Change]) {
        for case .venue in changes { lockChanged() }
        for region in regions.all where isSlateDue(in: region) { showSlate(in: region) }
    }

    /// Whether the region is to show the slate. It is if no session is open there and no picture is held, or if the
    /// service went down while the region's channel buffers. The next picture replaces the slate.
    func isSlateDue(in region: RegionPlayer) -> Bool {
        if let session = region.player.current {
            guard session.source.channel != nil, session.isBuffering, !session.isPaused else {
                serviceSlates.remove(region.name)
                return false
            }
            if !health.snapshot.state.isUp { serviceSlates.insert(region.name) }
            return serviceSlates.contains(region.name)
        }
        return region.player.showsSlate || serviceSlates.contains(region.name)
    }

    /// The slate of a region without a picture. It gives the reason; in `main` it also identifies the box.
    func slate(for region: RegionPlayer) -> Slate {
        let why = reason(for: region).lines
        guard region.isMain else {
            if region.player.current == nil, let text = strategyText(in: region) {
                return Slate(title: text, lines: [])
            }
            let title = region.player.current?.name ?? region.awaitsChannel ?? region.name
            return Slate(title: title, lines: why)
        }
        return Slate(
            title: settings.boxName.isEmpty ? "Touchline" : settings.boxName,
            lines: ["Box \(boxID)", "Address \(address)", "Version \(Build.version) (\(Build.id))", ""] + why)
    }

    var address: String { HostAddress.first(of: settings.network.interface ?? "") ?? "none" }

    private func reason(for region: RegionPlayer) -> SlateReason {
        let session = region.player.current.map { (name: $0.name, isSoundAlone: $0.isSoundAlone) }
        return SlateReason(
            state: health.snapshot.state, uplinks: health.snapshot.uplinks,
            groups: settings.announcements.groups.map(\.description),
            channelCount: lineUp.channels.count, lockedOutside: health.snapshot.missedVenue,
            isMain: region.isMain, session: session, awaited: region.awaitsChannel)
    }
}
