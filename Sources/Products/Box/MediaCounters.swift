// SPDX-License-Identifier: Apache-2.0
import Mixing
import Playback
import Presentation
import Reception

/// What the media threads have counted that the control plane decides by: of all sound, and of one region, whose
/// session's are nil when it has none.
struct MediaCounters: Sendable {
    var reception: ReceptionCounters?
    var playback: PlaybackCounters?
    var sound: MixerCounters
    /// What the stage counted of the region since it has been there.
    var region: RegionCounters
}
