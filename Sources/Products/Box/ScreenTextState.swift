// SPDX-License-Identifier: Apache-2.0
import Presentation

/// The last inputs of the screen text, so that only changes are sent.
struct ScreenTextState {
    var session: Int?
    var label: ScreenText.ChannelLabel?
    var transport: ScreenText.TransportState?
    var volume: VolumeBar?
    var isBuffering = false
    var wantsStatistics: Bool
}
