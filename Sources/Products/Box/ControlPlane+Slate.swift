// SPDX-License-Identifier: Apache-2.0
import Playback
import Presentation
import Settings
import System
import Venue

extension ControlPlane {
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
            state: health.state, uplinks: uplinks, groups: settings.announcements.groups.map(\.description),
            channelCount: lineUp.channels.count, lockedOutside: lock.map { _ in settings.license.venueName },
            isMain: region.isMain, session: session, awaited: region.awaitsChannel)
    }
}
