// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// What a box tells of itself at one instant, or what happened; `config/REPORTS.md` says what each member means.
///
/// The triple of box, boot and sequence is unique for ever.
public struct Report: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// How the box is: a later one says the same again.
        case state
        /// What happened, once.
        case event
        /// What the reporter of a venue tells of its boxes: the sections are those of `VenueReport`.
        case venue
    }

    /// Octets of the longest line.
    public static let mostOctets = 256 << 10
    public static let sequences: ClosedRange<UInt64> = 1...UInt64(Int64.max)

    /// The id of the box, 1 to 64 characters.
    public let box: String
    /// The id of this start of the service.
    public let boot: String
    /// One of `sequences`.
    public let sequence: UInt64
    public let kind: Kind
    /// The monotonic clock of the box, not negative.
    public let monotonicMs: Int64
    /// nil if nobody had set the wall clock of the box.
    public let wall: WallTime?
    /// The time since the report of the same kind before, or since the start; not negative.
    public let coversMs: Int64
    /// The whole report with the members above, and with those that nobody here knows.
    public let document: JSONValue

    /// - Parameters:
    ///   - sequence: one of `sequences`.
    ///   - members: what the report tells beyond the other parameters, which count if both have a member.
    public init(
        box: String, boot: String, sequence: UInt64, kind: Kind, monotonicMs: Int64, wall: WallTime?, coversMs: Int64,
        members: [String: JSONValue]
    ) {
        precondition(Self.sequences.contains(sequence))
        self.box = box
        self.boot = boot
        self.sequence = sequence
        self.kind = kind
        self.monotonicMs = monotonicMs
        self.wall = wall
        self.coversMs = coversMs
        var document = members
        document["report"] = 1
        document["box"] = .string(box)
        document["boot"] = .string(boot)
        document["sequence"] = .integer(Int64(sequence))
        document["kind"] = .string(kind.rawValue)
        document["monotonicMs"] = .integer(monotonicMs)
        document["wall"] = wall.map { .string($0.description) }
        document["coversMs"] = .integer(coversMs)
        self.document = .object(document)
    }

    /// The report on one line, without a line feed at its end. Equal reports have equal octets.
    public var octets: [UInt8] { document.octets() }
}
