// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Shapes

/// The event that a channel is repaired from now on by parity that nobody announced.
struct RepairFound: FeatureEvent {
    let id: String
    let channel: String
    let repair: JSONValue

    static let about = EventAbout(
        .channels, "repairFound", "Parity was found beside a channel, which nobody announced; it is used.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"),
        .value("channel", \.channel, .text, "its name"),
        .value("repair", \.repair, .anything, "as the command channels shows it"),
    ])
}
