// SPDX-License-Identifier: Apache-2.0
import Reporting
import Venue

/// The lines of the slate that say why a region shows no picture: first why the service is down (SVM-96), then the
/// state of the region.
struct SlateReason {
    var state: ServiceState
    var uplinks: [Uplink]
    /// The announcement groups.
    var groups: [String]
    var channelCount: Int
    /// The venue without which playback is locked; nil if playback is not locked.
    var lockedOutside: String?
    var isMain: Bool
    /// The region's current session; nil for none.
    var session: (name: String, isSoundAlone: Bool)?
    /// The channel that is tuned as soon as the line-up has it; nil for none.
    var awaited: String?
    /// Why the session shows no picture; nil while that is not known.
    var absence: PictureAbsence?

    var lines: [String] {
        var lines: [String] = []
        if let service { lines.append("Service down: \(service)") }
        if let lockedOutside { lines.append("Locked until the venue \(lockedOutside) is heard") }
        if let region, lines.isEmpty || session != nil { lines.append(region) }
        return lines
    }

    /// The first reason why the service is down; nil if it is up.
    private var service: String? {
        switch state.reasons.first {
        case .notRunning?: "nothing listens"
        case .wifiDown?: link
        case .noChannels?: "no channels heard on \(groups.joined(separator: ", "))"
        case .poorQuality?: absence?.text ?? "too much is lost on the way"
        default: nil
        }
    }

    private var link: String {
        let names = uplinks.map(\.name).joined(separator: ", ")
        return uplinks.contains { $0.kind == .wifi } ? "WiFi is down (\(names))" : "the network is down (\(names))"
    }

    private var region: String? {
        if let session {
            if session.isSoundAlone { return "\(session.name) has sound alone" }
            if let absence { return "\(session.name) shows no picture: \(absence.text)" }
            return state.isUp
                ? "\(session.name) is tuned, no picture yet" : "\(session.name) is tuned, no picture comes"
        }
        guard channelCount > 0 else { return "No channels heard on \(groups.joined(separator: ", "))" }
        if let awaited { return "\(awaited) is not heard" }
        return isMain ? "\(channelCount) channels heard, none tuned" : "No channel is tuned"
    }
}
