// SPDX-License-Identifier: Apache-2.0
import Time

/// What a channel shows for a while, as its stream says; DVB calls it an event.
public struct Broadcast: Hashable, Sendable {
    public var title: String
    /// In a sentence or at length; empty when not sent.
    public var text: String
    /// ISO 639-2 code of title and text.
    public var language: String?
    /// Nil when not defined; so is duration.
    public var start: WallTime?
    public var duration: Nanoseconds?
    /// Years; of several countries the highest.
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
