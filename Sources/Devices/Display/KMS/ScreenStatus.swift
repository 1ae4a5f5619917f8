// SPDX-License-Identifier: Apache-2.0
import Time

/// Which screen a stage is on, and what befell it.
public struct ScreenStatus: Sendable, Hashable {
    /// Nil when nothing is shown anywhere.
    public var connector: String?
    /// `1920x1080@50`.
    public var mode: String?
    /// The mode that the settings pin, while another one is shown: the screen lacks it, or the card refuses it.
    public var pinPassedOver: String?
    /// The others that show the same, or will when they can; of these `connector` says which they are.
    public var mirrors: [ScreenStatus] = []
    /// `TLN TOUCHLINE FHD`: who made the display, and its name; nil too where it does not say.
    public var display: String?
    /// Why the card did not take the video shown last on a plane of its own, or not from the memory that it lies in; nil
    /// when it did, or was not asked.
    public var planeRefusal: String?
    public var counters = ScreenCounters()

    public init() {}
}

/// Since the stage was made.
public struct ScreenCounters: Sendable, Hashable {
    public var flips: Int64 = 0
    /// Presented while the one before was not visible yet; where screens mirror each other and another one paces.
    public var picturesSkipped: Int64 = 0
    /// No event came in time; the mode was set again.
    public var flipsLost: Int64 = 0
    /// Flips and settings of a mode that the card refused; tests beforehand are not among them.
    public var commitsRefused: Int64 = 0
    public var modesets: Int64 = 0
    /// A mode was not visible in time; the next was tried.
    public var modesetsLost: Int64 = 0
    /// Times that the kernel told of a change.
    public var hotplugs: Int64 = 0
    public var cardsLost: Int64 = 0
    /// Shown by a plane of their own, under the canvas.
    public var planePictures: Int64 = 0
    /// Copied into the card's memory for that; those in memory that it can import are not.
    public var planeCopies: Int64 = 0
    /// Kinds of pictures that the card did not take so, each for itself: from their memory, then copied; what it took in
    /// no way was composed.
    public var planeRefusals: Int64 = 0
    /// From when the last accident was noticed, or a screen was, to a picture.
    public var recoveryMs: Int64 = 0
    /// The longest of these.
    public var longestRecoveryMs: Int64 = 0

    public init() {}

    mutating func recovered(after span: Nanoseconds) {
        recoveryMs = span.milliseconds
        longestRecoveryMs = max(longestRecoveryMs, recoveryMs)
    }
}
