// SPDX-License-Identifier: Apache-2.0
import Presentation

/// What the screen text was told last.
struct ScreenTextState {
    var session: Int?
    var label: ScreenText.ChannelLabel?
    var transport: ScreenText.TransportState?
    var volume: VolumeBar?
    var isBuffering = false
    var wantsStatistics: Bool
}
