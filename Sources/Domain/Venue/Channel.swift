// SPDX-License-Identifier: Apache-2.0
import Time

/// A channel of the line-up (SVM-37…41): its name, its description and where it is received.
public struct Channel: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable { case video, data, file }

    /// Identifies an announced session, as in `<streamer>/<session number>`, or a channel of the settings, as in
    /// `settings:<name>`. It stays the same for as long as the session is announced.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public var id: ID
    public var kind: Kind
    /// The name by which commands address the channel.
    public var name: String
    /// The full description, for the guide.
    public var channelText: String
    public var sessionNumber: Int64
    public var sessionTitle: String
    /// Nominal bandwidth, kbit/s; 0 if unknown.
    public var bandwidthKbps: Int
    /// The licence; nil for plain SAP/SDP and for channels of the settings, which carry none.
    public var fieldOfUse: FieldOfUse?
    public var transport: Transport
    /// Play-out delay D; nil if the channel names none and the box's setting applies.
    public var playoutDelay: Nanoseconds?
    /// The announcing streamer; nil for channels of the settings.
    public var streamer: Streamer.ID?
    /// The program that is played; nil plays the first program.
    public var program: ProgramChoice?
    /// Media type of a data channel's messages (RFC 6838); nil if unknown.
    public var contentType: String?

    public init(
        id: ID, kind: Kind = .video, name: String, channelText: String = "", sessionNumber: Int64 = 0,
        sessionTitle: String = "", bandwidthKbps: Int = 0, fieldOfUse: FieldOfUse? = nil, transport: Transport,
        playoutDelay: Nanoseconds? = nil, streamer: Streamer.ID? = nil, program: ProgramChoice? = nil
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

    /// Whether receiving `other` also delivers this channel, presented at the same time: it may have fewer sources, or
    /// the same in another order.
    public func isReceived(as other: Channel) -> Bool {
        if transport == other.transport { return isPresented(as: other) }
        guard differsBySources(from: other) else { return false }
        return Set(transport.sources).isSubset(of: other.transport.sources)
    }

    /// Whether only the sources are others, and one of them is a source of `other` too: as long as that one is heard,
    /// nothing is missed.
    public func sharesSources(with other: Channel) -> Bool {
        differsBySources(from: other) && !Set(transport.sources).isDisjoint(with: other.transport.sources)
    }

    private func isPresented(as other: Channel) -> Bool {
        program == other.program && playoutDelay == other.playoutDelay
    }

    private func differsBySources(from other: Channel) -> Bool {
        isPresented(as: other) && transport.withoutSources == other.transport.withoutSources
            && transport.sources.isEmpty == other.transport.sources.isEmpty
    }

    /// What is needed after a gap was repaired, or could have been: reception holds it open for 25 ms more and reads its
    /// sockets every 40 ms at least; sound takes another 115 ms, for the unit that was hit, its decoding, and an output
    /// buffer of 50 ms with its periods.
    private static let repairMargin = Nanoseconds.milliseconds(180)

    /// How long reception may keep a gap open if packets are presented this long after their arrival.
    public static func longestHold(within delay: Nanoseconds) -> Nanoseconds {
        delay - repairMargin + .milliseconds(25)
    }

    /// The time from arrival to presentation: the announced delay, or `own` if none is announced, and never less than
    /// repair and the second path need.
    public func playoutDelay(else own: Nanoseconds) -> Nanoseconds {
        let needed = (transport.repair?.span ?? .zero) + (transport.secondPath?.skew ?? .zero)
        let wanted = playoutDelay ?? own
        return needed > .zero ? max(wanted, needed + Self.repairMargin) : wanted
    }
}

extension Channel {
    /// The sum of the nominal bit rates, kbit/s. A channel that is there twice is received once and counts once; one of
    /// unknown bit rate does not count.
    public static func bandwidthKbps(of channels: [Channel]) -> Int {
        Dictionary(channels.map { ($0.id, $0.bandwidthKbps) }, uniquingKeysWith: max).values.reduce(0, +)
    }
}
