// SPDX-License-Identifier: Apache-2.0
import Time

/// A channel of the line-up (SVM-37…41): what it is called and where it is heard.
public struct Channel: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable { case video, data, file }

    /// Stable while the same session is announced: streamer and session number, or `settings:<name>`.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public var id: ID
    public var kind: Kind
    /// The key of every command that takes a channel.
    public var name: String
    /// Full description, for the guide.
    public var channelText: String
    public var sessionNumber: Int64
    public var sessionTitle: String
    /// Nominal, kbit/s; 0 when not said.
    public var bandwidthKbps: Int
    /// Nil for plain SAP/SDP and for channels of the settings, which carry no licence.
    public var fieldOfUse: FieldOfUse?
    public var transport: Transport
    /// Play-out delay D; nil: the box's own setting.
    public var playoutDelay: Nanoseconds?
    /// Nil for channels of the settings.
    public var streamer: Streamer.ID?
    /// Program number that is played of it; nil: the first.
    public var program: UInt16?
    /// Media type of a data channel's messages (RFC 6838); nil when not said.
    public var contentType: String?

    public init(
        id: ID, kind: Kind = .video, name: String, channelText: String = "", sessionNumber: Int64 = 0,
        sessionTitle: String = "", bandwidthKbps: Int = 0, fieldOfUse: FieldOfUse? = nil, transport: Transport,
        playoutDelay: Nanoseconds? = nil, streamer: Streamer.ID? = nil, program: UInt16? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.channelText = channelText
        self.sessionNumber = sessionNumber
        self.sessionTitle = sessionTitle
        self.bandwidthKbps = bandwidthKbps
        self.fieldOfUse = fieldOfUse
        self.transport = transport
        self.playoutDelay = playoutDelay
        self.streamer = streamer
        self.program = program
    }

    /// Whether one who receives the other receives this too, and shows it at the same time.
    public func isReceived(as other: Channel) -> Bool {
        transport == other.transport && program == other.program && playoutDelay == other.playoutDelay
    }

    /// More than what reception holds a gap beyond that, and the pace of its batches.
    private static let repairMargin = Nanoseconds.milliseconds(50)

    /// From arrival to presentation: what is announced, else the box's own, but never less than repair needs.
    public func playoutDelay(else own: Nanoseconds) -> Nanoseconds {
        let needed = (transport.repair?.span ?? .zero) + (transport.secondPath?.skew ?? .zero)
        let wanted = playoutDelay ?? own
        return needed > .zero ? max(wanted, needed + Self.repairMargin) : wanted
    }
}
