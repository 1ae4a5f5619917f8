// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Synchronisation

/// The event that the sync controller of a session is in another state (CSS-19).
struct SyncStateChanged: FeatureEvent {
    let state: Int
    let name: String
    let session: Int

    static let about = EventAbout(.sync, "state", "A session that is held to a timeline is in another state.")
    static let shape = Shape<Self>([
        .value("state", \.state, .integer(1...7), "number of the state"),
        .value(
            "name", \.name, .text,
            "1 initialised, 2 running, 3 stopped, 4 paused, 5 synchronising, 6 syncTimelineUnavailable, "
                + "7 syncTimelineAvailable"),
        .value("session", \.session, .integer, "which is held"),
    ])
}

/// The event that something about the television is another (CSS-33).
struct TelevisionChanged: FeatureEvent {
    enum What: String, Sendable, CaseIterable {
        case found, information, gone, refused, versionRefused, silent, malformed, notServed
    }

    let what: What
    let contentId: String?
    let presentationStatus: String?
    let details: [String]

    static let about = EventAbout(.sync, "television", "Something about the television that is followed is another.")
    static let shape = Shape<Self>([
        .value(
            "what", \.what, .choice,
            """
            found, gone: a connection is there or none is left; information: it presents another content, or otherwise; \
            refused: with an HTTP status; versionRefused: its CSS-CII is not 1.1; silent: it accepts and says nothing; \
            malformed: its message cannot be read; notServed: this box cannot be followed
            """),
        .value("contentId", \.contentId, .optional(.text), "what it presents, or null"),
        .value("presentationStatus", \.presentationStatus, .optional(.text), "okay, transitioning, fault, or null"),
        .value("details", \.details, .list(of: .text), "names of the properties, or the service and status"),
    ])
}

extension SyncControllerState {
    var name: String {
        switch self {
        case .initialised: "initialised"
        case .running: "running"
        case .stopped: "stopped"
        case .paused: "paused"
        case .synchronising: "synchronising"
        case .syncTimelineUnavailable: "syncTimelineUnavailable"
        case .syncTimelineAvailable: "syncTimelineAvailable"
        }
    }
}
