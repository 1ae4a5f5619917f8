// SPDX-License-Identifier: Apache-2.0
import JSON
import Journal
import Reporting
import Settings
import System
import Time
import Venue

/// Whether the service does what it is there for, and whether the box is where it belongs (SVM-89…99).
extension ControlPlane {
    /// Once a second.
    func watchHealth(at now: Monotonic) {
        uplinks = Uplink.current(named: settings.network.interface)
        let (channels, venueName) = (lineUp.channels, settings.license.venueName)
        let observation = Health.Observation(
            isListening: isListening, uplinks: uplinks, channelCount: channels.count,
            hearsVenue: !venueName.isEmpty && channels.contains { $0.fieldOfUse?.venueName == venueName },
            sessions: regions.compactMap(reception))
        tell(health.observe(observation, at: now))
    }

    /// Nil when nothing is received for the region.
    private func reception(of region: RegionPlayer) -> SessionReception? {
        guard let session = region.player.current, let channel = session.source.channel,
            let counters = mediaCounters(of: region).reception
        else { return nil }
        // Bare UDP has no numbers: what is missing shows in the stream alone.
        let lost = channel.transport.encapsulation == .raw ? counters.tsDiscontinuities : counters.lostPackets
        return SessionReception(
            session: session.id,
            received: counters.datagrams - counters.duplicatePackets - counters.repairDatagrams, lost: lost)
    }

    func tell(_ changes: [Health.Change]) {
        for change in changes {
            switch change {
            case .service(let state):
                serviceSince = SystemClock.wall()
                journal.log(for: "health")(
                    state.isUp ? .notice : .warning, "service state",
                    ["state": state.name, "reasons": state.reasons.names.joined(separator: ",")])
                emit(.service, "state", state.json)
            case .venue(let connection):
                journal.log(for: "health")(
                    .notice, "venue connection", ["isConnectedToVenue": connection.isConnectedToVenue])
                emit(.venue, "connection", connection.json)
                venueChanged()
            }
        }
        guard !changes.isEmpty else { return }
        for region in regions where isSlateDue(in: region) { showSlate(in: region) }
    }

    /// SVM-90.
    var service: JSONValue {
        var answer = health.state.json
        answer["since"] = .string(serviceSince.description)
        answer["sinceMs"] = .integer((SystemClock.monotonic() - health.since).milliseconds)
        answer["isConnectedToVenue"] = health.venue.map { .bool($0.isConnectedToVenue) } ?? .null
        answer["uplinks"] = .array(uplinks.map(\.json))
        return answer
    }

    // MARK: Slate

    /// Whether a region shows the slate: nothing plays there, or the service is down and no picture comes. It goes with
    /// the next picture, by itself; until then it stays, and says what is.
    func isSlateDue(in region: RegionPlayer) -> Bool {
        if let session = region.player.current {
            guard session.source.channel != nil, session.isBuffering, !session.isPaused else {
                region.hasServiceSlate = false
                return false
            }
            if !health.state.isUp { region.hasServiceSlate = true }
            return region.hasServiceSlate
        }
        return region.player.showsSlate || region.hasServiceSlate
    }

    // MARK: Lock

    /// Why nothing may be played; nil: it may.
    var lock: Status? {
        guard settings.health.locksOutside, health.venue?.isConnectedToVenue != true else { return nil }
        return .failure(
            .failed,
            "venue '\(settings.license.venueName)' is not heard: expected it, because health.venue.locksOutside is true"
        )
    }

    private func venueChanged() {
        guard settings.health.locksOutside else { return }
        guard lock != nil else { return tuneAwaited() }
        for region in regions where region.player.isOpen {
            let played = region.tunedPlaylist ?? region.player.current?.source.channel?.id
            stopPlaying(in: region)
            region.awaitsChannel = played?.text
        }
    }
}
