// SPDX-License-Identifier: Apache-2.0
import Venue

/// Who wants to hear which data channel (SVM-43…46). A channel is joined for its first observer and left with its last; a
/// name binds when a channel has it, rebinds when another does, and waits while none does.
public struct DataSubscriptions<Observer: Hashable & Sendable>: Sendable {
    /// To be done in order: what is left comes before what is joined.
    public enum Action: Equatable, Sendable {
        case leave(Channel.ID)
        case join(Channel)
    }

    private struct Entry: Equatable {
        let subscription: DataSubscription
        let observer: Observer
    }

    /// In the order in which they came.
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

    /// From all that it observes.
    public mutating func remove(_ observer: Observer) -> [Action] {
        entries.removeAll { $0.observer == observer }
        return settle()
    }

    /// - Parameter channels: the whole line-up, in its order: of two with one name the first has it.
    public mutating func lineUpChanged(_ channels: [ListedChannel]) -> [Action] {
        listed = channels.filter { $0.channel?.isHeardAsData == true }
        return settle()
    }

    /// Those of a channel, each once, in the order in which they came.
    public func observers(of id: Channel.ID) -> [Observer] {
        var seen: Set<Observer> = []
        return entries.compactMap { entry in
            bindings[entry.subscription] == id && seen.insert(entry.observer).inserted ? entry.observer : nil
        }
    }

    /// Nil while there is no such channel.
    public func binding(of subscription: DataSubscription) -> Channel.ID? {
        bindings[subscription] ?? entry(for: subscription)?.id
    }

    /// As it was joined.
    public func joinedChannel(_ id: Channel.ID) -> Channel? { joined[id] }

    public var isEmpty: Bool { entries.isEmpty }

    /// Text that people give is a name, or else the name that the channel gave itself, or else an id.
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
    /// Messages are carried by RTP alone.
    var isHeardAsData: Bool {
        guard kind == .data, case .rtp = transport.encapsulation else { return false }
        return true
    }
}
