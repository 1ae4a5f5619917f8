// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// Which television a companion follows, and which of its content and timelines.
public struct CompanionSettings: Hashable, Sendable {
    /// A television without CSS-CII: all that its first message would tell (CSS-24).
    public struct Stated: Hashable, Sendable {
        public var wcURL: WallClockURL
        public var tsURL: WebSocketURL
        /// Sent as it is; empty for any content.
        public var contentIDStem: ContentIDStem
        public var timeline: TimelineOption

        public init(
            wcURL: WallClockURL, tsURL: WebSocketURL, contentIDStem: ContentIDStem, timeline: TimelineOption
        ) {
            (self.wcURL, self.tsURL) = (wcURL, tsURL)
            (self.contentIDStem, self.timeline) = (contentIDStem, timeline)
        }
    }

    public enum Television: Hashable, Sendable {
        /// The URL of CSS-CII.
        /// - selectors: timelines by preference, the best first; empty for the first one that is offered.
        /// - stems: content that is of interest; empty for any.
        case described(by: WebSocketURL, selectors: [TimelineSelector], stems: [ContentIDStem])
        case stated(Stated)
    }

    public var television: Television

    public init(_ television: Television) { self.television = television }
}
