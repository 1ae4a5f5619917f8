// SPDX-License-Identifier: Apache-2.0
import Timelines

/// The content of one overlay plane. Equal contents look the same, so that only changes are drawn.
public enum OverlayContent: Hashable, Sendable {
    case statistics(StatisticsPanel)
    case banner(ChannelBanner)
    case transport(TransportBar)
    case volume(VolumeBar)
    case buffering
    case channelList(ChannelListPanel)
    case number(NumberPanel)
    case message(ScreenMessage)
    /// The whole stage.
    case testCard(ScreenTestCard)
    /// What moves on a test card.
    case testCardMotion(TestCardMotion)

    /// The pictures of the main region with which it is shown; nil for always.
    var pictures: StampSpan? {
        if case .message(let message) = self { message.pictures } else { nil }
    }
}
