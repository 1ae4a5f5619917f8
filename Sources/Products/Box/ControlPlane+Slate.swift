// SPDX-License-Identifier: Apache-2.0
import Presentation
import Settings
import System
import Venue

extension ControlPlane {
    /// What the screen says while there is no picture: which box this is and why.
    func slate() -> Slate {
        Slate(
            title: settings.boxName.isEmpty ? "Touchline" : settings.boxName,
            lines: [
                "Box \(boxID)", "Address \(address)", "Version \(Build.version) (\(Build.id))", "", reason,
            ])
    }

    var address: String { HostAddress.first(of: settings.network.interface ?? "") ?? "none" }

    /// Why no picture is shown.
    var reason: String {
        guard lineUp.channels.isEmpty else {
            return "\(lineUp.channels.count) channels heard, none tuned"
        }
        let groups = settings.announcements.groups.map(\.description).joined(separator: ", ")
        return "No channels heard on \(groups)"
    }
}
