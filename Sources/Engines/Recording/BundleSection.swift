// SPDX-License-Identifier: Apache-2.0

/// A part of a bundle, not compressed.
public struct BundleSection: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// JSON: which box, which versions, when and why.
        case head = "HEAD"
        /// JSON: the settings without their secrets.
        case settings = "SETT"
        /// Events, one text of JSON a line.
        case events = "EVTS"
        /// Samples of the statistics, one text of JSON a line.
        case statistics = "STAT"
        /// A small picture of the screen: a line with the time, then a JPEG file. The higher the piece, the older it is.
        case picture = "PICT"
        /// JSON: a `FlowDescription`.
        case flow = "FLOW"
        /// A log of input of a flow. The higher the piece, the older are the records.
        case packets = "PKTS"
    }

    public var kind: Kind
    /// Number of the flow; 0 where there is none.
    public var flow: UInt8
    /// Number of the piece: 0 is the newest.
    public var piece: UInt16
    public var octets: [UInt8]

    public init(_ kind: Kind, flow: UInt8 = 0, piece: UInt16 = 0, _ octets: [UInt8]) {
        (self.kind, self.flow, self.piece, self.octets) = (kind, flow, piece, octets)
    }

    /// Octets of the longest section, not compressed.
    public static let mostOctets = 8 << 20
}
