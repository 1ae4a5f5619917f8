// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import LineUp
import Playback
import Time
import Venue

/// What playback does as the line-up changes, and tuning to its channels.
extension ControlPlane {
    /// Hands the changes to the controllers of all regions, and tunes what awaited a channel.
    func lineUpChanged(_ changes: [LineUpChange]) {
        var isFirst = true
        for change in changes {
            switch change {
            case .channelAdded(let entry):
                if isFirst { tuneAwaited() }  // once is enough: the list has all added channels already
                isFirst = false
                if let channel = entry.channel, channel.kind == .video {
                    for region in regions.all { regions.control(.channelAdded(channel), in: region) }
                }
            case .channelChanged(let entry, _):
                guard let channel = entry.channel else { continue }
                for region in regions.all { regions.control(.channelChanged(channel), in: region) }
            case .channelRemoved(let entry, _):
                for region in regions.all { regions.control(.channelRemoved(entry.id), in: region) }
            case .streamerAdded, .streamerChanged, .streamerRemoved: break
            }
        }
    }

    // MARK: Lock

    /// Why playback is locked; nil if it is not.
    var lock: Status? { health.lock }

    /// Stops what plays outside the venue, and tunes it again inside.
    func lockChanged() {
        guard settings.health.locksOutside else { return }
        guard lock != nil else { return tuneAwaited() }
        for region in regions.all where region.player.isOpen {
            let played = region.tunedPlaylist ?? region.player.current?.source.channel?.id
            regions.stop(region)
            region.awaitsChannel = played?.text
        }
    }

    // MARK: Commands

    func tune(_ text: String, in region: RegionPlayer) -> Result<JSONValue, Status> {
        do throws(Status) {
            return tune(try tunable(text), in: region)
        } catch {
            return .failure(error)
        }
    }

    func tunable(_ text: String) throws(Status) -> ListedChannel {
        let entry = try lineUp.entry(of: text)
        guard entry.kind == .video else {
            throw .failure(
                .failed, "channel '\(entry.name)' is a \(entry.kind.rawValue) channel: expected a video channel")
        }
        return entry
    }

    func zap(_ direction: LineUp.Direction, in region: RegionPlayer) -> Result<JSONValue, Status> {
        let current = region.player.current
        let playlist = current?.isFallback == true ? nil : region.tunedPlaylist
        let here = playlist ?? current?.source.channel?.id
        guard let entry = lineUp.neighbour(of: here, direction) else {
            return .failure(.failure(.failed, "the line-up shows no channel: expected one to go to"))
        }
        return tune(entry, in: region)
    }

    /// Tunes each region to the channel that it awaits, if the line-up has it.
    func tuneAwaited() {
        for region in regions.all {
            guard let text = region.awaitsChannel, let entry = lineUp.entry(matching: text), entry.kind == .video
            else { continue }
            _ = tune(entry, in: region)
        }
    }

    private func tune(_ entry: ListedChannel, in region: RegionPlayer) -> Result<JSONValue, Status> {
        if let lock { return .failure(lock) }
        guard regions.admitsSession(in: region) else { return .failure(regions.sessionLimitReached) }
        region.awaitsChannel = nil
        switch entry.content {
        case .channel(let channel):
            region.tunedPlaylist = nil
            regions.control(.tune(channel), in: region)
            guard region.player.current?.source.channel?.id == entry.id else {
                return .failure(.failure(.failed, "channel '\(entry.name)' could not be joined"))
            }
        case .playlist(let name):
            guard let playlist = settings.playlists.first(where: { $0.name == name }) else {
                preconditionFailure("a playlist is listed that the settings do not have")
            }
            region.tunedPlaylist = entry.id
            regions.control(.setVideos(playlist.videos), in: region)
            regions.control(.play, in: region)
        }
        return .success(["channel": .string(entry.name), "number": .integer(Int64(entry.number))])
    }
}
