// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that the helper changed the network of the box, or could not.
struct NetworkApplied: FeatureEvent {
    enum Cause: String, Sendable, CaseIterable { case start, settings, takenBack }

    let cause: Cause
    let files: [String]
    /// Empty if it was done.
    let problem: String

    static let about = EventAbout(
        .network, "applied", "The box's own network was made as the settings say, or could not be.")
    static let shape = Shape<Self>([
        .value("cause", \.cause, .choice, "start; settings: a change; takenBack: a change that did not come about"),
        .value("files", \.files, .list(of: .text), "what the programs of the system read anew; none if it failed"),
        .value("problem", \.problem, .text, "why it could not be done; empty if it was"),
    ])
}
