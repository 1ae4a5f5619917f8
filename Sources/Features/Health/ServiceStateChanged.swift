// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Venue

/// The event that the service went up or down, or is down for other reasons (SVM-89, 91).
struct ServiceStateChanged: FeatureEvent, StateAnswer {
    let state: ServiceState

    static let about = EventAbout(.service, "state", "The service went up or down, or its reasons changed.")
    static let shape = Shape<Self>(Field.ofState)
}

/// What shows the state of the service: the event, and the answer of the command `service`.
protocol StateAnswer: Answer {
    var state: ServiceState { get }
}

extension Field where Root: StateAnswer {
    static var ofState: [Field] {
        [
            .value("state", \.state.name, .choice(["up", "down"]), "up or down"),
            .value("reasons", \.state.reasons.rawValue, .count, "sum of the bits of the reasons; 0: up"),
            .value(
                "reasonNames", \.state.reasons.names, .list(of: .text),
                "their names, the one that the slate shows first"),
        ]
    }
}
