// SPDX-License-Identifier: Apache-2.0
import JSON
import Mixing
import Playback
import Presentation
import Venue

/// What the media plane tells the control plane.
enum MediaReport: Sendable {
    case stage(StageReport)
    case sound(MixerReport)
    case playback(PlaybackReport)
    /// As the command `screenshot` answers.
    case screenshot(ticket: Int, Result<JSONValue, Status>)
}
