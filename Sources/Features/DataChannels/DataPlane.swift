// SPDX-License-Identifier: Apache-2.0
import Control
import DataMessages
import DataReception
import Hosting
import JSON
import Journal
import Reception
import Settings
import Statistics
import System
import Time
import Venue

/// Receives data channels while they have observers, and hands their messages to feeds and to the box's own consumers.
/// - Thread: the event loop's only. Each channel is received on a thread of its own.
final class DataPlane {
    enum Observer: Hashable, Sendable {
        /// The feed of a channel that clients follow, by the text with which they named the channel.
        case feed(String)
        /// A consumer of the settings.
        case consumer(Settings.Data.Consumer)
    }

    /// The number of feeds is limited because each of them holds messages.
    private static let feedLimit = 32

    private struct Followed {
        let feed: MessageFeed
        var followers = 1
    }

    /// Empty if the route decides.
    private var interface: String
    private var consumers: [Settings.Data.Consumer]
    private let log: Log
    private let waker: Waker
    private var bus = DataBus<Observer>()
    private var receivers: [Channel.ID: PayloadReceiver] = [:]
    /// Receivers of channels that were left, until their threads have ended.
    private var ending: [PayloadReceiver] = []
    /// Channels that have observers and could not be joined yet.
    private var failing: [Channel.ID: Channel] = [:]
    private var feeds: [String: Followed] = [:]
    /// Packets that were dropped for want of room, of the channels that have been left.
    private var overflowsBefore: Int64 = 0
    /// Called after each message that is appended to a feed.
    var onMessage: (MessageFeed) -> Void = { _ in }
    /// Called with each message for a consumer of the settings.
    var onConsumed: (Settings.Data.Consumer, DataBus<Observer>.Delivery) -> Void = { _, _ in }
    /// Called when a channel was joined or left.
    var onEvent: (_ event: any FeatureEvent) -> Void = { _ in }

    init(_ settings: Settings, loop: EventLoop, log: Log) throws(SystemCallError) {
        interface = settings.network.interface ?? ""
        consumers = settings.data.consumers
        self.log = log
        let inbox = LateHandler()
        waker = try loop.makeWaker { inbox.handler() }
        inbox.handler = { [weak self] in self?.takeMessages() }
    }

    /// Adds the consumers of the settings as observers of their channels.
    func start() {
        for consumer in consumers { add(consumer) }
    }

    /// Replaces the consumers. A channel that stays wanted is not left.
    func use(_ new: [Settings.Data.Consumer]) {
        let before = consumers
        consumers = new
        for consumer in new where !before.contains(consumer) { add(consumer) }
        for consumer in before where !new.contains(consumer) { perform(bus.remove(.consumer(consumer))) }
    }

    /// Leaves all channels and joins them again on this interface; nil: the route decides.
    func use(interface new: String?) {
        guard new ?? "" != interface else { return }
        interface = new ?? ""
        let joined = receivers.values.map(\.channel)
        for channel in joined { leave(channel.id) }
        for channel in joined { join(channel) }
    }

    private func add(_ consumer: Settings.Data.Consumer) {
        perform(bus.add(.consumer(consumer), to: .name(consumer.channel)))
    }

    func stop() {
        for receiver in receivers.values { receiver.close() }
        for receiver in Array(receivers.values) + ending { receiver.stop() }
        (receivers, ending) = ([:], [])
    }

    /// - Parameter listed: the whole line-up, in its order.
    func lineUpChanged(_ listed: [ListedChannel]) { perform(bus.lineUpChanged(listed)) }

    /// Tries again to join the channels that could not be joined. Called once a second.
    func tick() { for channel in failing.values { join(channel) } }

    // MARK: Feeds

    func follow(_ channel: String) -> Result<MessageFeed, Status> {
        if let known = feeds[channel]?.feed {
            feeds[channel]?.followers += 1
            return .success(known)
        }
        guard feeds.count < Self.feedLimit else {
            return .failure(.failure(.busy, "\(Self.feedLimit) data channels are followed already"))
        }
        let feed = MessageFeed(of: channel)
        feeds[channel] = Followed(feed: feed)
        perform(bus.add(.feed(channel), to: .name(channel)))
        return .success(feed)
    }

    func leave(_ feed: MessageFeed) {
        guard var followed = feeds[feed.channel] else { return }
        followed.followers -= 1
        feeds[feed.channel] = followed.followers > 0 ? followed : nil
        if followed.followers == 0 { perform(bus.remove(.feed(feed.channel))) }
    }

    // MARK: Channels

    private func perform(_ actions: [DataBus<Observer>.Action]) {
        for action in actions {
            switch action {
            case .leave(let id): leave(id)
            case .join(let channel): join(channel)
            }
        }
    }

    private func join(_ channel: Channel) {
        do throws(SystemCallError) {
            let waker = waker
            receivers[channel.id] = try PayloadReceiver(
                channel, interface: interface, wake: { waker.wake() })
            failing[channel.id] = nil
            onEvent(DataChannelJoined(id: channel.id.text, channel: channel.name))
        } catch {
            let isKnown = failing.updateValue(channel, forKey: channel.id) != nil
            if !isKnown { log(.error, "data channel not joined", ["channel": channel.name, "error": error]) }
        }
    }

    private func leave(_ id: Channel.ID) {
        failing[id] = nil
        guard let receiver = receivers.removeValue(forKey: id) else { return }
        receiver.close()
        ending.append(receiver)
        onEvent(DataChannelLeft(id: id.text, channel: receiver.channel.name))
    }

    // MARK: Messages

    /// Joins the receive threads that have ended, of channels that were left.
    private func joinEnded() {
        ending.removeAll { receiver in
            guard receiver.hasEnded else { return false }
            receiver.stop()
            overflowsBefore += receiver.payloads.overflows
            return true
        }
    }

    private func takeMessages() {
        joinEnded()
        for (id, receiver) in receivers {
            var deliveries: [DataBus<Observer>.Delivery] = []
            receiver.payloads.take { payload, source, arrival in
                guard let delivery = bus.payloadReceived(payload, of: id, source: source, at: arrival) else { return }
                deliveries.append(delivery)
            }
            for delivery in deliveries { deliver(delivery) }
        }
    }

    private func deliver(_ delivery: DataBus<Observer>.Delivery) {
        log(
            .debug, "message",
            [
                "channel": delivery.channel.name, "sequence": delivery.message.sequence,
                "observers": delivery.observers.count,
            ])
        var document: JSONValue?
        for observer in delivery.observers {
            switch observer {
            case .feed(let name):
                guard let feed = feeds[name]?.feed else { continue }
                let message = document ?? delivery.json(at: SystemClock.wall(), SystemClock.monotonic())
                document = message
                feed.append(message, octets: delivery.message.octets.count)
                onMessage(feed)
            case .consumer(let consumer): onConsumed(consumer, delivery)
            }
        }
    }

    // MARK: Answers

    /// Memberships of the joined channels, to be reviewed together with those of the media plane.
    var memberships: [(channel: Channel, membership: ChannelMembership)] {
        receivers.values.map { ($0.channel, $0.membership) }
    }

    /// - Parameter consumers: the counters of the box's own consumers.
    func figures(_ consumers: DataConsumers.Counters) -> DataFigures {
        DataFigures(
            messages: bus.counters, channelsJoined: receivers.count,
            overflows: (receivers.values + ending).reduce(overflowsBefore) { $0 + $1.payloads.overflows },
            consumers: consumers)
    }

    /// The channel as the command `data` lists it.
    func row(of entry: ListedChannel, at now: Monotonic) -> DataChannelRow {
        DataChannelRow(
            entry: entry, counters: bus.counters(of: entry.id),
            overflows: receivers[entry.id].map(\.payloads.overflows),
            lastMessageAge: bus.lastArrival(of: entry.id).map { now - $0 },
            observers: bus.observers(of: entry.id).count)
    }
}
