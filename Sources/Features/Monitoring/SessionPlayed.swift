// SPDX-License-Identifier: Apache-2.0
import Hosting
import Journal
import Shapes

/// What was shown of a session that has ended. It is logged of every session, and an event of those of a strategy with
/// the consumer `proofOfPlay`.
struct SessionPlayed: FeatureEvent {
    let session: Int
    let name: String
    let seconds: Int64
    let pictures: Int64
    /// Coded pictures.
    let octets: Int64
    let region: String
    /// nil if the region is the layout's.
    let strategy: String?

    /// The fields of its line in the log.
    var fields: Log.Fields {
        [
            "session": session, "name": name, "seconds": seconds, "pictures": pictures, "octets": octets,
            "region": region, "strategy": strategy ?? "none",
        ]
    }

    static let about = EventAbout(
        .session, "played", "A session has ended whose strategy has the consumer proofOfPlay.", outlivesSession: true)
    static let shape = Shape<Self>([
        .value("session", \.session, .integer, "number of the session"),
        .value("name", \.name, .text, "of the channel or video"),
        .value("seconds", \.seconds, .integer, "for which it was open"),
        .value("pictures", \.pictures, .integer, "that were presented"),
        .value("octets", \.octets, .integer, "of its coded pictures"),
        .value("region", \.region, .text, "of the stage"),
        .unlessNil("strategy", \.strategy, .text, "to which the region belongs"),
    ])
}
