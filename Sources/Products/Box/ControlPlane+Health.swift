// SPDX-License-Identifier: Apache-2.0
import JSON
import Journal
import Playback
import Reporting
import Settings
import System
import Time
import Venue

/// Whether the service is up, and whether the box is in its venue (SVM-89…99).
extension ControlPlane {
    /// Called once a second.
    func watchHealth(at now: Monotonic) {
        uplinks = Uplink.current(named: settings.network.interface)
        let (channels, venueName) = (lineUp.channels, settings.license.venueName)
        let observation = Health.Observation(
            isListening: isListening, uplinks: uplinks, channelCount: channels.count,
            hearsVenue: !venueName.isEmpty && channels.contains { $0.fieldOfUse?.venueName == venueName },
            sessions: regions.all.compactMap(reception))
        tell(health.observe(observation, at: now))
    }

    /// nil if no channel is received for the region.
    private func reception(of region: RegionPlayer) -> SessionReception? {
        guard let session = region.player.current, let channel = session.source.channel,
            let counters = mediaCounters(of: region).reception
        else { return nil }
        // UDP without RTP has no sequence numbers: loss shows only as discontinuities of the transport stream.
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
        for region in regions.all where isSlateDue(in: region) { showSlate(in: region) }
    }

    /// The answer to the question whether the service is up, and why not (SVM-90).
    var service: JSONValue {
        var answer = health.state.json
        answer["since"] = .string(serviceSince.description)
        answer["sinceMs"] = .integer((SystemClock.monotonic() - health.since).milliseconds)
        answer["isConnectedToVenue"] = health.venue.map { .bool($0.isConnectedToVenue) } ?? .null
        answer["uplinks"] = .array(uplinks.map(\.json))
        return answer
    }

    // MARK: Slate

    /// Whether the region is to show the slate. It is if no session is open there and no picture is held, or if the
    /// service went down while the region's channel buffers. The next picture replaces the slate.
    func isSlateDue(in region: RegionPlayer) -> Bool {
        if let session = region.player.current {
            guard session.source.channel != nil, session.isBuffering, !session.isPaused else {
                serviceSlates.remove(region.name)
                return false
            }
            if !health.state.isUp { serviceSlates.insert(region.name) }
            return serviceSlates.contains(region.name)
        }
        return region.player.showsSlate || serviceSlates.contains(region.name)
    }

    // MARK: Lock

    /// Why playback is locked; nil if it is not.
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
        for region in regions.all where region.player.isOpen {
            let played = region.tunedPlaylist ?? region.player.current?.source.channel?.id
            regions.stop(region)
            region.awaitsChannel = played?.text
        }
    }
}
