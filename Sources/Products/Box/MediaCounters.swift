// SPDX-License-Identifier: Apache-2.0
import Mixing
import Playback
import Presentation
import Reception

/// Counters of the media threads on which the control plane bases decisions. `reception` is nil if the session of the
/// region receives no channel, and `playback` is nil if the region has no session.
struct MediaCounters: Sendable {
    var reception: ReceptionCounters?
    var playback: PlaybackCounters?
    var sound: MixerCounters
    /// Counters of the stage since the region was created.
    var region: RegionCounters
}
