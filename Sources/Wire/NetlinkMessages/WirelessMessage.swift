// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

/// A message of nl80211, the family of generic netlink by which the kernel tells of radios.
///
/// ```
///  0         1         2          4
/// | command | version | reserved | attributes: length 16, type 16, value; some have others nested in their value
/// ```
/// All in the machine's byte order. Attributes that are not known here are skipped. One that is missing leaves nil,
/// because drivers leave out what they do not know; a message without what says whose figures it has is refused. So is
/// one with an attribute of another length than the kernel gives it.
public enum WirelessMessage: Hashable, Sendable {
    case interface(RadioInterface)
    case station(StationFigures)
    case survey(ChannelSurvey)
    case basicServiceSet(BasicServiceSet)
    case regulatoryDomain(RegulatoryDomain)
    case event(RadioEvent)
    /// The end of a list that was asked for (NLMSG_DONE).
    case done
    /// - errno: positive; 0 is an acknowledgement (NLMSG_ERROR).
    case failed(errno: UInt32)
    /// A message that does not concern us.
    case other

    /// How a message came. The kernel has the same commands for answers and for events.
    public enum Delivery: Hashable, Sendable {
        /// It answers a request: its netlink header has the sequence number of the request.
        case reply
        /// It was sent to all who listen: its netlink header has the sequence number 0.
        case multicast
    }

    /// All messages of a datagram, in order.
    /// - Parameter family: number that the kernel has given to nl80211; messages of other families are `other`.
    public static func parse(
        _ datagram: UnsafeRawBufferPointer, family: UInt16
    ) throws(WireError) -> [WirelessMessage] {
        var reader = WireReader(datagram)
        var messages: [WirelessMessage] = []
        try reader.forEachMessage { (header, body) throws(WireError) in
            let message: WirelessMessage
            switch header.type {
            case NetlinkHeader.error: message = .failed(errno: try body.readErrno())
            case NetlinkHeader.done: message = .done
            case family: message = try Self(from: &body, header.sequence == 0 ? .multicast : .reply)
            default: message = .other
            }
            messages.append(message)
        }
        return messages
    }

    /// A single message, without its netlink header.
    public init(_ bytes: UnsafeRawBufferPointer, _ delivery: Delivery) throws(WireError) {
        var reader = WireReader(bytes)
        try self.init(from: &reader, delivery)
    }

    init(from reader: inout WireReader, _ delivery: Delivery) throws(WireError) {
        let command = WirelessCommand(rawValue: try reader.read(UInt8.self))
        try reader.skip(3)
        switch (delivery, command) {
        case (_, nil): self = .other
        case (.reply, .newInterface): self = .interface(try RadioInterface(from: &reader))
        case (.reply, .newStation): self = .station(try StationFigures(from: &reader))
        case (.reply, .newSurveyResults): self = .survey(try ChannelSurvey(from: &reader))
        case (.reply, .newScanResults): self = .basicServiceSet(try BasicServiceSet(from: &reader))
        case (.reply, .getRegulatoryDomain): self = .regulatoryDomain(try RegulatoryDomain(from: &reader))
        case (.reply, _): self = .other
        case (.multicast, let command?):
            let event = try RadioEvent(command, from: &reader)
            self = event.map { .event($0) } ?? .other
        }
    }
}
