// SPDX-License-Identifier: Apache-2.0
import Typesetting

/// A line of text that runs across the screen repeatedly, in its script's direction.
public struct TickerText: Hashable, Sendable {
    public enum Position: String, Hashable, Sendable, CaseIterable { case top, bottom }

    public var text: String
    /// 10...2 000; nil for a twelfth of the stage's width in steps of 50, which are whole pixels at usual frame rates.
    public var pixelsPerSecond: Int?
    public var position: Position
    /// See `TickerStrip.isOnTimeline`.
    public var isOnTimeline: Bool

    public init(
        _ text: String, pixelsPerSecond: Int? = nil, position: Position = .bottom, isOnTimeline: Bool = false
    ) {
        self.isOnTimeline = isOnTimeline
        self.text = text
        self.pixelsPerSecond = pixelsPerSecond
        self.position = position
    }
}
