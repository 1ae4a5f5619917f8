// SPDX-License-Identifier: Apache-2.0
import Time

/// The state of the screen that shows a stage, with counters.
public struct ScreenStatus: Sendable, Hashable {
    /// The kernel's name of the connector; nil while nothing is shown.
    public var connector: String?
    /// Size and rate, such as `1920x1080@50`; nil while nothing is shown.
    public var mode: String?
    /// The mode pinned by the settings if another one is shown because the display lacks it or the card refuses it;
    /// otherwise nil.
    public var pinPassedOver: String?
    /// The other screens that show the same stage, or will when they can. Their `connector` is never nil.
    public var mirrors: [ScreenStatus] = []
    /// The display's maker and name, such as `TLN TOUCHLINE FHD`; nil if it does not report it.
    public var display: String?
    /// Why the card refused to show the last video on a plane of its own or from the decoder's memory; nil if it did
    /// not refuse or was not asked.
    public var planeRefusal: String?
    /// Whether this process is the DRM master of the card, which alone may show pictures.
    public var isMaster = false
    public var counters = ScreenCounters()

    public init() {}

    /// Whether this screen or one of its mirrors shows the stage.
    public var isOn: Bool { isMaster && mode != nil || mirrors.contains(where: \.isOn) }
}

/// Counts since the stage was made.
public struct ScreenCounters: Sendable, Hashable {
    public var flips: Int64 = 0
    public var picturesSkipped: Int64 = 0
    public var flipsLost: Int64 = 0
    public var commitsRefused: Int64 = 0
    public var modesets: Int64 = 0
    public var modesetsLost: Int64 = 0
    public var hotplugs: Int64 = 0
    public var cardsLost: Int64 = 0
    public var planePictures: Int64 = 0
    public var planeCopies: Int64 = 0
    public var planeRefusals: Int64 = 0
    public var recoveryMs: Int64 = 0
    public var longestRecoveryMs: Int64 = 0

    public init() {}

    mutating func recovered(after span: Nanoseconds) {
        recoveryMs = span.milliseconds
        longestRecoveryMs = max(longestRecoveryMs, recoveryMs)
    }
}
