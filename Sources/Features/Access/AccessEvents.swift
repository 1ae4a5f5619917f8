// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Shapes

struct BoxClaimed: FeatureEvent {
    let name: String
    let address: String

    static let about = EventAbout(.service, "claimed", "Somebody claimed the box with the code that it showed.")
    static let shape = Shape<Self>([
        .value("name", \.name, .text, "of the administrator's token that was made"),
        .value("address", \.address, .text, "from where; empty: at the box"),
    ])
}

struct ClaimOpened: FeatureEvent {
    let seconds: Int64

    static let about = EventAbout(.service, "claimOpened", "The box shows a code with which it can be claimed.")
    static let shape = Shape<Self>([.value("seconds", \.seconds, .count, "for how long")])
}

struct TokenCreated: FeatureEvent {
    let name: String
    let role: Role

    static let about = EventAbout(.service, "tokenCreated", "A token was made.")
    static let shape = Shape<Self>([
        .value("name", \.name, .text, "by which it is known"), .value("role", \.role, .choice, "its role"),
    ])
}

struct TokenRevoked: FeatureEvent {
    let name: String

    static let about = EventAbout(.service, "tokenRevoked", "A token was revoked; what was open with it has ended.")
    static let shape = Shape<Self>([.value("name", \.name, .text, "by which it was known")])
}

struct AccessForgotten: FeatureEvent {
    static let about = EventAbout(.service, "accessReset", "All tokens and the claim were forgotten, at the box.")
    static let shape = Shape<Self>()
}

struct SourceLockedOut: FeatureEvent {
    let address: String

    static let about = EventAbout(
        .service, "lockedOut", "An address has to wait, because too many wrong tokens came from it.")
    static let shape = Shape<Self>([.value("address", \.address, .text, "numeric")])
}
