// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// Events that share a type of payload, such as `session.play` and `session.pause`.
extension FeatureContext {
    public func emit<Payload: Answer>(_ about: EventAbout, _ payload: Payload) {
        append(about.family, about.name, payload.json)
    }
}

extension EventDescription {
    public init<Payload: Answer>(_ about: EventAbout, _ type: Payload.Type) {
        self.init(
            "\(about.family.rawValue).\(about.name)", about.help, type.descriptions,
            outlivesSession: about.outlivesSession)
    }
}
