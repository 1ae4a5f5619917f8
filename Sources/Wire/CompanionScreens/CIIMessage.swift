// SPDX-License-Identifier: Apache-2.0
import JSON

/// A message of CSS-CII, by which a server tells what it presents and where its other services are (TS 103 286-2,
/// "content identification and other information"). It has what changed; `ContentInformation` is what is known after it.
public struct CIIMessage: Hashable, Sendable {
    /// Octets of the longest text that is read; a WebSocket message above them may be refused unread.
    public static let mostOctets = 65_536

    /// What a message says of one property.
    public enum Property<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Nothing: it is as before.
        case absent
        /// That it has no value now.
        case null
        case value(Value)

        /// Nil if the property is absent or null.
        public var value: Value? {
            if case .value(let value) = self { value } else { nil }
        }
    }

    public enum Version: String, Sendable {
        case onePointOne = "1.1"
    }

    public enum ContentIDStatus: String, Sendable {
        /// The content's signalling is not complete, and its identifier may become longer.
        case partial
        case final
    }

    /// The properties by their names, in the order in which they are sent.
    public enum Name: String, Sendable, CaseIterable {
        case protocolVersion, contentId, contentIdStatus, presentationStatus, mrsUrl, wcUrl, tsUrl, teUrl, timelines
        case privateData = "private"
    }

    /// A value in the first message of a connection.
    public var protocolVersion: Property<Version> = .absent
    /// A URI: `dvb:` for broadcast, the URL of the MPD for DASH.
    public var contentID: Property<String> = .absent
    public var contentIDStatus: Property<ContentIDStatus> = .absent
    public var presentationStatus: Property<PresentationStatus> = .absent
    /// The server of material resolution, a URL.
    public var mrsURL: Property<String> = .absent
    /// The server of the wall clock, CSS-WC.
    public var wcURL: Property<WallClockURL> = .absent
    /// The server of timelines, CSS-TS.
    public var tsURL: Property<WebSocketURL> = .absent
    /// The server of trigger events, CSS-TE.
    public var teURL: Property<WebSocketURL> = .absent
    /// The timelines of the content.
    public var timelines: Property<[TimelineOption]> = .absent
    public var privateData: Property<[PrivateData]> = .absent

    /// A message that says nothing.
    public init() {}
}
