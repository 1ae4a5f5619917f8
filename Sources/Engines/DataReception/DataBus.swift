// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Time
import Venue

/// From the packets of data channels to messages for those who observe them: each message once and in order (SVM-47).
///
/// Sans I/O: the caller joins and leaves as the answers say, and brings what the joined channels receive.
public struct DataBus<Observer: Hashable & Sendable>: Sendable {
    public typealias Action = DataSubscriptions<Observer>.Action

    /// A message on its way.
    public struct Delivery: Sendable {
        public let message: DataMessage
        public let channel: Channel
        public let observers: [Observer]

        /// Of the message; when it says none, of its channel; "" when neither does.
        public var contentType: String {
            message.contentType.isEmpty ? channel.contentType ?? "" : message.contentType
        }
    }

    private var subscriptions = DataSubscriptions<Observer>()
    private var assemblers: [Channel.ID: MessageAssembler] = [:]
    private var lastArrivals: [Channel.ID: Monotonic] = [:]
    /// Of channels that were left.
    private var before = MessageCounters()

    public init() {}

    // MARK: Observers

    public mutating func add(_ observer: Observer, to subscription: DataSubscription) -> [Action] {
        kept(subscriptions.add(observer, to: subscription))
    }

    public mutating func remove(_ observer: Observer, from subscription: DataSubscription) -> [Action] {
        kept(subscriptions.remove(observer, from: subscription))
    }

    /// From all that it observes.
    public mutating func remove(_ observer: Observer) -> [Action] { kept(subscriptions.remove(observer)) }

    /// - Parameter channels: the whole line-up, in its order.
    public mutating func lineUpChanged(_ channels: [ListedChannel]) -> [Action] {
        kept(subscriptions.lineUpChanged(channels))
    }

    public func observers(of id: Channel.ID) -> [Observer] { subscriptions.observers(of: id) }

    /// Nil while there is no such channel.
    public func binding(of subscription: DataSubscription) -> Channel.ID? { subscriptions.binding(of: subscription) }

    /// A channel that only moved goes on: what was heard of it is not heard again.
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
    ///   - payload: of an RTP packet, those of a channel in their order.
    ///   - source: its SSRC.
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

    /// Since it was joined; nil for a channel that is not.
    public func counters(of id: Channel.ID) -> MessageCounters? { assemblers[id]?.counters }

    /// Of its last message; nil before the first.
    public func lastArrival(of id: Channel.ID) -> Monotonic? { lastArrivals[id] }

    /// Of all channels that were ever joined.
    public var counters: MessageCounters {
        assemblers.values.reduce(into: before) { $0.add($1.counters) }
    }
}
