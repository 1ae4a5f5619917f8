// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Time
import Venue

/// Assembles the packets of data channels into messages for their observers: each message once and in order (SVM-47).
///
/// Sans I/O: the caller joins and leaves channels as the returned actions say, and passes in what they receive.
public struct DataBus<Observer: Hashable & Sendable>: Sendable {
    public typealias Action = DataSubscriptions<Observer>.Action

    /// A message and its observers.
    public struct Delivery: Sendable {
        public let message: DataMessage
        public let channel: Channel
        public let observers: [Observer]

        /// Media type of the message, else that of its channel, else "".
        public var contentType: String {
            message.contentType.isEmpty ? channel.contentType ?? "" : message.contentType
        }
    }

    private var subscriptions = DataSubscriptions<Observer>()
    private var assemblers: [Channel.ID: MessageAssembler] = [:]
    private var lastArrivals: [Channel.ID: Monotonic] = [:]
    /// Counts of channels that were left.
    private var before = MessageCounters()

    public init() {}

    // MARK: Observers

    public mutating func add(_ observer: Observer, to subscription: DataSubscription) -> [Action] {
        kept(subscriptions.add(observer, to: subscription))
    }

    public mutating func remove(_ observer: Observer, from subscription: DataSubscription) -> [Action] {
        kept(subscriptions.remove(observer, from: subscription))
    }

    /// Removes the observer from all its subscriptions.
    public mutating func remove(_ observer: Observer) -> [Action] { kept(subscriptions.remove(observer)) }

    /// - Parameter channels: the data channels of the line-up, in its order.
    public mutating func lineUpChanged(_ channels: [ListedChannel]) -> [Action] {
        kept(subscriptions.lineUpChanged(channels))
    }

    public func observers(of id: Channel.ID) -> [Observer] { subscriptions.observers(of: id) }

    /// The channel to which the subscription is bound; nil while there is none.
    public func binding(of subscription: DataSubscription) -> Channel.ID? { subscriptions.binding(of: subscription) }

    /// A channel that was left and joined again at another place keeps its assembler, so no message is delivered twice.
    private mutating func kept(_ actions: [Action]) -> [Action] {
        for case .leave(let id) in actions where subscriptions.joinedChannel(id) == nil {
            if let assembler = assemblers.removeValue(forKey: id) { before.add(assembler.counters) }
            lastArrivals[id] = nil
        }
        for case .join(let channel) in actions where assemblers[channel.id] == nil {
            assemblers[channel.id] = MessageAssembler()
        }
        return actions
    }

    // MARK: Packets

    /// - Parameters:
    ///   - payload: payload of an RTP packet; those of one channel come in order.
    ///   - source: SSRC of the sender.
    /// - Returns: a message that this packet completed; nil if it completed none.
    public mutating func payloadReceived(
        _ payload: UnsafeRawBufferPointer, of id: Channel.ID, source: UInt32, at arrival: Monotonic
    ) -> Delivery? {
        guard let channel = subscriptions.joinedChannel(id),
            let message = assemblers[id]?.payloadReceived(payload, source: source, at: arrival)
        else { return nil }
        lastArrivals[id] = arrival
        return Delivery(message: message, channel: channel, observers: subscriptions.observers(of: id))
    }

    // MARK: Counters

    /// Counts since the channel was joined; nil for a channel that is not joined.
    public func counters(of id: Channel.ID) -> MessageCounters? { assemblers[id]?.counters }

    /// Arrival of the channel's last message; nil before the first.
    public func lastArrival(of id: Channel.ID) -> Monotonic? { lastArrivals[id] }

    /// Counts of all channels that were ever joined.
    public var counters: MessageCounters {
        assemblers.values.reduce(into: before) { $0.add($1.counters) }
    }
}
