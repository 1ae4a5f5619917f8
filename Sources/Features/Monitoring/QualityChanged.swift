// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Venue

/// The event that faults of a channel that plays became an alarm or ceased to be one.
struct QualityChanged: FeatureEvent {
    let id: String
    let channel: String
    let session: Int
    let alarms: StreamIndicator.Set
    /// The alarms before.
    let before: StreamIndicator.Set
    let shortLossPPM: Int64
    /// nil for `main`.
    let region: String?

    var raised: [String] { Self.names(of: alarms.subtracting(before)) }
    var cleared: [String] { Self.names(of: before.subtracting(alarms)) }
    private var names: [String] { Self.names(of: alarms) }

    private static func names(of indicators: StreamIndicator.Set) -> [String] { indicators.members.map(\.name) }

    static let about = EventAbout(
        .channels, "quality", "Faults of a channel that plays became an alarm, or ceased to be one.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"),
        .value("channel", \.channel, .text, "its name"),
        .value("session", \.session, .count, "number of the session that plays it"),
        .value("alarms", \.names, .list(of: .text), "names of the indicators that are an alarm now"),
        .value("raised", \.raised, .list(of: .text), "names of those that became one"),
        .value("cleared", \.cleared, .list(of: .text), "names of those that ceased to be one"),
        .value(
            "shortLossPPM", \.shortLossPPM, .integer, "lost packets of a million, after repair, in the short window"),
        .unlessNil("region", \.region, .text, "where it plays; absent: in main"),
    ])
}
