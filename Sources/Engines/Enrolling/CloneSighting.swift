// SPDX-License-Identifier: Apache-2.0
import Shapes
import Time

/// A sign that two boxes call themselves the same.
public struct CloneSighting: Record, Equatable {
    public enum Kind: String, CaseIterable, Sendable {
        /// A box with another key asked under this id.
        case key
        /// A box with this box's key asked under another id.
        case id
        /// Reports of two starts came in turns, each made after the other's.
        case starts
    }

    public internal(set) var kind = Kind.key
    /// The other key, id, or the two starts.
    public internal(set) var other = ""
    public internal(set) var first = WallTime(nanoseconds: 0)
    public internal(set) var last = WallTime(nanoseconds: 0)

    public init() {}

    public static let shape = Shape<Self>([
        .required("kind", \.kind, .choice, "What there is twice."),
        .required("other", \.other, .text(1...256), "The other key, id, or the two starts."),
        .required("first", \.first, .instant, "When it was seen for the first time."),
        .required("last", \.last, .instant, "When it was seen last."),
    ])
}

/// All signs of one box.
public struct CloneSightings: Record, Equatable {
    static let most = 8

    public internal(set) var sightings: [CloneSighting] = []

    public init() {}

    public static let shape = Shape<Self>([
        .member("sightings", \.sightings, .list(of: .record, 0...most), "The latest of them.")
    ])
}
