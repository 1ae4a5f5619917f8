// SPDX-License-Identifier: Apache-2.0

/// The content of one overlay plane. Equal contents look equal, so that nothing is drawn when nothing changes.
public enum OverlayContent: Hashable, Sendable {
    case statistics(StatisticsPanel)
    case banner(ChannelBanner)
    case transport(TransportBar)
    case volume(VolumeBar)
    case buffering
    case message(ScreenMessage)
}
