// SPDX-License-Identifier: Apache-2.0
import Playback
import Presentation

/// What the media plane tells the control plane.
enum MediaReport: Sendable {
    case stage(StageReport)
    case playback(PlaybackReport)
}
