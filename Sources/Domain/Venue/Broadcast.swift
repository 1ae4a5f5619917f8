// SPDX-License-Identifier: Apache-2.0
import Time

/// One programme of a channel's schedule, as its stream announces it (in DVB's terms, an event).
public struct Broadcast: Hashable, Sendable {
    public var title: String
    /// The description, from a sentence to several paragraphs; empty when none is sent.
    public var text: String
    /// ISO 639-2 code of the title and the text; nil if unknown.
    public var language: String?
    /// Start and duration are nil if the stream does not define them.
    public var start: WallTime?
    public var duration: Nanoseconds?
    /// In years; where countries differ, the highest age. nil if no rating is sent.
    public var minimumAge: Int?

    public init(
        title: String, text: String = "", language: String? = nil, start: WallTime? = nil,
        duration: Nanoseconds? = nil, minimumAge: Int? = nil
    ) {
        self.title = title
        self.text = text
        self.language = language
        self.start = start
        self.duration = duration
        self.minimumAge = minimumAge
    }

    public var end: WallTime? {
        guard let start, let duration else { return nil }
        return WallTime(nanoseconds: start.nanoseconds &+ duration.count)
    }
}
