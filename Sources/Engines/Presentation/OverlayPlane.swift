// SPDX-License-Identifier: Apache-2.0
import Scene

/// The planes for pictures over the video. Each holds one picture; they are drawn in this order.
public enum OverlayPlane: Int, Hashable, Sendable, CaseIterable {
    case statistics, banner, transport, volume, buffering, channelList, number, advertisement, scheduled, testCard,
        testCardMotion, emergency

    public var layer: StageLayer {
        switch self {
        case .statistics, .banner, .transport, .volume, .buffering, .channelList, .number: .controls
        case .advertisement, .scheduled, .testCard, .testCardMotion: .advertisement
        case .emergency: .emergency
        }
    }
}
