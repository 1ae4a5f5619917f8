// SPDX-License-Identifier: Apache-2.0
import Settings

extension PlaybackPolicy {
    public init(_ settings: Settings) {
        self.init()
        let playback = settings.playback
        autoAdvance = playback.autoAdvance
        autoPlay = playback.autoPlay
        audioLanguage = playback.audioLanguage
        sources =
            switch playback.sourcePolicy {
            case .reference: .reference
            case .first: .first
            case .ordered: .ordered(playback.sourceOrder)
            }
        fallback =
            switch playback.fallback {
            case .hold: .hold
            case .slate: .slate
            case .defaultChannel: playback.defaultChannel.map { .defaultChannel($0) } ?? .slate
            case .playlist:
                settings.playlists.first { $0.name == playback.fallbackPlaylist }.map { .playlist($0) } ?? .slate
            }
    }
}
