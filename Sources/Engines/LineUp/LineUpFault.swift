// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import Compression
import Time
import Venue

/// Why an announcement gave no channel, or a channel without its repair.
public struct LineUpFault: Equatable, Sendable {
    /// Reasons in the order in which they are checked; the first that applies is reported, and no other.
    public enum Reason: Error, Equatable, Sendable {
        case notAllowed
        /// SAP or SDP that cannot be parsed.
        case malformed(WireError)
        /// A compressed SAP payload that cannot be inflated.
        case incompressible(InflationError)
        case encrypted
        /// New or changed announcements come more often than they are read, from this sender.
        case overRate(perSecond: Int)
        /// The same of all senders together.
        case overTotalRate(perSecond: Int)
        case unknownType(String)
        case invalidJSON(AnnouncementError)
        case versionMismatch(Int64)
        /// SDP without a medium that a box plays; the codings that it has instead.
        case unplayable([String])
        /// The streamer or the session belongs to another sender that is still heard.
        case conflicting(owner: NumericAddress)
        case overQuota(limit: Int)
        case overflowing(limit: Int)
        /// The channel's licence; nil when it has none and settings demand one.
        case licenseMismatch(FieldOfUse?)
        /// The channel is listed and played without its repair.
        case unusableRepair(UnusableRepair)
    }

    /// How long a fault is remembered that does not come again. A sender announces every few minutes at least.
    static let memory = Nanoseconds.seconds(900)

    public var sender: NumericAddress
    public var time: Monotonic
    public var reason: Reason

    /// Whether the announcement was not read because too many came.
    public var isOfRate: Bool {
        switch reason {
        case .overRate, .overTotalRate: true
        default: false
        }
    }
}

extension LineUpFault.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAllowed: "the settings do not allow this sender"
        case .malformed(let error): "malformed: \(error)"
        case .incompressible(.damaged): "malformed: the compressed payload is damaged"
        case .incompressible(.tooLong(let limit)): "malformed: the compressed payload holds more than \(limit) octets"
        case .encrypted: "encrypted"
        case .overRate(let limit):
            "more new or changed announcements than the \(limit) a second that are read of a sender"
        case .overTotalRate(let limit): "all senders together announce more than the \(limit) a second that are read"
        case .unknownType(let type): "payload type \(type) is not one that is read"
        case .invalidJSON(let error): "\(error)"
        case .versionMismatch(let version): "\(AnnouncementError.versionMismatch(version))"
        case .unplayable([]): "no media"
        case .unplayable(let codings):
            "nothing of this is played, or not at this address: \(codings.joined(separator: ", "))"
        case .conflicting(let owner): "the session or its streamer belongs to \(owner)"
        case .overQuota(let limit): "more than the \(limit) that are remembered of one sender"
        case .overflowing(let limit): "more than the \(limit) that are remembered"
        case .unusableRepair(let reason): "\(reason)"
        case .licenseMismatch(nil): "no licence, and the settings ask for one"
        case .licenseMismatch(let license?):
            "the licence is \(license.venueName), \(license.contentOwner), \(license.appDeveloper); expected that of the "
                + "settings (license)"
        }
    }
}
