// SPDX-License-Identifier: Apache-2.0
import Display
import Mixing
import Playback
import Presentation
import Reception
import Statistics
import Venue

/// The statistics of the media plane's engines, as groups for the registry.
enum MediaStatistics {
    /// Groups that exist for as long as the media plane.
    static func groups(
        of stage: Stage, _ mixer: Mixer, _ screenText: ScreenTextEngine, _ pictures: PictureStream
    ) -> [StatisticGroup] {
        [
            StatisticGroup("stage", StageCounters.statistics) {
                var counters = stage.counters.value
                let main = stage.regionCounters.first { $0.name == RegionPlayer.main }
                counters.presentedPTS = main?.presentedPTS ?? 0
                counters.pictureErrorUs = main?.pictureErrorUs ?? 0
                return counters
            },
            StatisticGroup("pacing", PacingCounters.statistics) { stage.counters.value.pacing },
            StatisticGroup("screen", each: ScreenStatus.statistics) {
                let screens = stage.screen.value.map { [$0] + $0.mirrors } ?? []
                return screens.enumerated().map { (["screen": "\($0)"], $1) }
            },
            StatisticGroup("sound", MixerCounters.statistics) { mixer.counters.value },
            StatisticGroup("screenText", ScreenTextCounters.statistics) { screenText.counters.value },
            StatisticGroup("pictures", PictureCounters.statistics) { pictures.counters },
        ]
    }

    /// Groups of a session and its receiver.
    /// - Parameter reception: the receiver, and what it had counted when the session was opened; nil for a file.
    static func groups(
        of session: PlaybackSession, _ reception: (receiver: ChannelReceiver, before: ReceptionCounters)?,
        _ mixer: Mixer, in region: String
    ) -> [StatisticGroup] {
        let labels = ["region": region, "session": "\(session.id)"]
        var groups: [StatisticGroup] = []
        if let (receiver, before) = reception {
            groups.append(
                StatisticGroup("reception", labels: labels, ReceptionCounters.statistics) {
                    receiver.counters.since(before)
                })
            groups.append(StatisticGroup("quality", labels: labels, StreamQuality.statistics) { receiver.quality })
        }
        groups.append(
            StatisticGroup("playback", labels: labels, PlaybackCounters.statistics) { session.counters.value })
        groups.append(
            StatisticGroup("sessionSound", labels: labels, InputCounters.statistics) {
                mixer.inputCounters(of: session.id)
            })
        return groups
    }
}
