// SPDX-License-Identifier: Apache-2.0
import Hosting
import Recording
import Shapes
import Venue

/// The event that an incident was kept.
struct IncidentRecorded: FeatureEvent {
    let id: String
    let kind: Incident.Kind
    let cause: String
    let octets: Int

    static let about = EventAbout(.incident, "recorded", "What led to an incident was kept.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the incident"),
        .value("kind", \.kind.rawValue, .choice(Incident.Kind.allCases.map(\.rawValue)), "what it is"),
        .value("cause", \.cause, .text, "why it was kept"),
        .value("octets", \.octets, .count, "of its file"),
    ])
}
