// SPDX-License-Identifier: Apache-2.0
import Venue

/// Which observer wants which data channel (SVM-43…46). A channel is joined for its first observer and left with its
/// last. A name binds to the channel that has it, rebinds when another channel gets it, and waits while none has it.
public struct DataSubscriptions<Observer: Hashable & Sendable>: Sendable {
    /// To be performed in order: all `leave` come before all `join`.
    public enum Action: Equatable, Sendable {
        case leave(Channel.ID)
        case join(Channel)
    }

    private struct Entry: Equatable {
        let subscription: DataSubscription
        let observer: Observer
    }

    /// In the order in which they were added.
    private var entries: [Entry] = []
    private var listed: [ListedChannel] = []
    private var bindings: [DataSubscription: Channel.ID] = [:]
    private var joined: [Channel.ID: Channel] = [:]

    public init() {}

    public mutating func add(_ observer: Observer, to subscription: DataSubscription) -> [Action] {
        let entry = Entry(subscription: subscription, observer: observer)
        guard !entries.contains(entry) else { return [] }
        entries.append(entry)
        return settle()
    }

    public mutating func remove(_ observer: Observer, from subscription: DataSubscription) -> [Action] {
        entries.removeAll { $0 == Entry(subscription: subscription, observer: observer) }
        return settle()
    }

    /// Removes the observer from all its subscriptions.
    public mutating func remove(_ observer: Observer) -> [Action] {
        entries.removeAll { $0.observer == observer }
        return settle()
    }

    /// - Parameter channels: the data channels of the line-up, in its order. Of two with one name the first has it.
    public mutating func lineUpChanged(_ channels: [ListedChannel]) -> [Action] {
        listed = channels.filter { $0.channel?.isHeardAsData == true }
        return settle()
    }

    /// Observers of a channel, each once, in the order in which they subscribed.
    public func observers(of id: Channel.ID) -> [Observer] {
        var seen: Set<Observer> = []
        return entries.compactMap { entry in
            bindings[entry.subscription] == id && seen.insert(entry.observer).inserted ? entry.observer : nil
        }
    }

    /// The channel to which the subscription is bound; nil while there is none.
    public func binding(of subscription: DataSubscription) -> Channel.ID? {
        bindings[subscription] ?? entry(for: subscription)?.id
    }

    /// The channel as it was joined; nil when it is not joined.
    public func joinedChannel(_ id: Channel.ID) -> Channel? { joined[id] }

    public var isEmpty: Bool { entries.isEmpty }

    /// A name is matched with the names of the list first, then with the channels' own names, then with ids.
    private func entry(for subscription: DataSubscription) -> ListedChannel? {
        switch subscription {
        case .channel(let id): listed.first { $0.id == id }
        case .name(let name):
            listed.first { $0.name == name } ?? listed.first { $0.ownName == name }
                ?? listed.first { $0.id.text == name }
        }
    }

    private mutating func settle() -> [Action] {
        bindings = [:]
        var wanted: [Channel.ID: Channel] = [:]
        var order: [Channel.ID] = []
        for subscription in entries.map(\.subscription) where bindings[subscription] == nil {
            guard let entry = entry(for: subscription), let channel = entry.channel else { continue }
            bindings[subscription] = entry.id
            if wanted.updateValue(channel, forKey: entry.id) == nil { order.append(entry.id) }
        }
        let left = joined.filter { id, channel in wanted[id].map { $0.transport != channel.transport } ?? true }
        var actions = left.keys.sorted { $0.text < $1.text }.map { Action.leave($0) }
        for id in order {
            guard let channel = wanted[id], joined[id] == nil || left[id] != nil else { continue }
            actions.append(.join(channel))
        }
        joined = wanted
        return actions
    }
}

extension Channel {
    /// Whether the channel is one of data in RTP; nothing else carries messages.
    var isHeardAsData: Bool {
        guard kind == .data, case .rtp = transport.encapsulation else { return false }
        return true
    }
}
