// SPDX-License-Identifier: Apache-2.0
import Presentation
import Settings
import System
import Venue

extension ControlPlane {
    /// What the screen says while there is no picture: in `main` which box this is and why, elsewhere why.
    func slate(for region: RegionPlayer) -> Slate {
        guard region.isMain else {
            if region.player.current == nil, let text = strategyText(in: region) {
                return Slate(title: text, lines: [])
            }
            let title = region.player.current?.name ?? region.awaitsChannel ?? region.name
            return Slate(title: title, lines: [reason(for: region)])
        }
        return Slate(
            title: settings.boxName.isEmpty ? "Touchline" : settings.boxName,
            lines: [
                "Box \(boxID)", "Address \(address)", "Version \(Build.version) (\(Build.id))", "", reason(for: region),
            ])
    }

    var address: String { HostAddress.first(of: settings.network.interface ?? "") ?? "none" }

    /// Why no picture is shown.
    private func reason(for region: RegionPlayer) -> String {
        if let session = region.player.current {
            return session.isSoundAlone ? "\(session.name) has sound alone" : "\(session.name) is tuned, no picture yet"
        }
        guard lineUp.channels.isEmpty else {
            if let channel = region.awaitsChannel { return "\(channel) is not heard" }
            return region.isMain ? "\(lineUp.channels.count) channels heard, none tuned" : "No channel is tuned"
        }
        let groups = settings.announcements.groups.map(\.description).joined(separator: ", ")
        return "No channels heard on \(groups)"
    }
}
