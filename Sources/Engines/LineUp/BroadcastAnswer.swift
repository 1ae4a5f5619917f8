// SPDX-License-Identifier: Apache-2.0
import Shapes
import Time
import Venue

/// A programme as commands and events show it.
public struct BroadcastAnswer: Answer {
    public let broadcast: Broadcast
    /// nil if the stream does not say when it begins.
    public let localStart: String?

    /// - Parameter zone: the zone of the local time.
    public init(_ broadcast: Broadcast, in zone: TimeZoneRules) {
        self.broadcast = broadcast
        localStart = broadcast.start.map { zone.text(of: $0) }
    }

    public var start: String? { broadcast.start?.description }
    public var durationMs: Int64? { broadcast.duration?.milliseconds }

    public static let shape = Shape<Self>([
        .value("title", \.broadcast.title, .text, "what it is called"),
        .value("text", \.broadcast.text, .text, "what it is about"),
        .value("language", \.broadcast.language, .optional(.text), "ISO 639-2 code of title and text, or null"),
        .value("start", \.start, .optional(.text), "when it begins, UTC; null: not said"),
        .value(
            "localStart", \.localStart, .optional(.text), "when it begins, in the zone of the box; null: not said"),
        .value("durationMs", \.durationMs, .optional(.count), "how long it lasts; null: not said"),
        .value("minimumAge", \.broadcast.minimumAge, .optional(.count), "fit for this age, years; null: not said"),
    ])
}
