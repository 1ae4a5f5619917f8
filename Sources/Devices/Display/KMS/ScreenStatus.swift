// SPDX-License-Identifier: Apache-2.0
import Time

/// The screen that a stage is on, and what happened to it.
public struct ScreenStatus: Sendable, Hashable {
    /// The kernel's name of the connector; nil while nothing is shown.
    public var connector: String?
    /// `1920x1080@50`.
    public var mode: String?
    /// The mode that the settings pin, while another one is shown because the display lacks it or the card refuses it.
    public var pinPassedOver: String?
    /// The other screens that show the same stage, or will when they can. Their `connector` is never nil.
    public var mirrors: [ScreenStatus] = []
    /// The display's maker and name, as in `TLN TOUCHLINE FHD`; nil if it does not say.
    public var display: String?
    /// Why the card refused to show the last video on a plane of its own, or from the decoder's memory; nil if it did
    /// not, or was not asked.
    public var planeRefusal: String?
    public var counters = ScreenCounters()

    public init() {}
}

/// Counts since the stage was made.
public struct ScreenCounters: Sendable, Hashable {
    public var flips: Int64 = 0
    /// Presented while the one before was not visible yet; of mirrored screens, where another one leads.
    public var picturesSkipped: Int64 = 0
    /// Flips whose event did not come in time; the mode was set again.
    public var flipsLost: Int64 = 0
    /// Flips and modesets that the card refused; tests beforehand do not count.
    public var commitsRefused: Int64 = 0
    public var modesets: Int64 = 0
    /// Modesets that were not done in time; the next mode was tried.
    public var modesetsLost: Int64 = 0
    /// Changes of connectors that the kernel announced.
    public var hotplugs: Int64 = 0
    public var cardsLost: Int64 = 0
    /// Pictures shown by a plane of their own, under the canvas.
    public var planePictures: Int64 = 0
    /// Those of them that were copied into the card's memory because it cannot import theirs.
    public var planeCopies: Int64 = 0
    /// Plane requests that the card refused. A picture may be refused from the decoder's memory and again as a copy; it
    /// is composed then.
    public var planeRefusals: Int64 = 0
    /// From the moment that the last accident or a new display was noticed to a picture on it, ms.
    public var recoveryMs: Int64 = 0
    /// The longest of these.
    public var longestRecoveryMs: Int64 = 0

    public init() {}

    mutating func recovered(after span: Nanoseconds) {
        recoveryMs = span.milliseconds
        longestRecoveryMs = max(longestRecoveryMs, recoveryMs)
    }
}
