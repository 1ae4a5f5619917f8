// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// The connection of a client. Events tell of its changes at once, samples show them once a second, and either may be
/// missing or come a little late: each change is counted once, whichever shows it first.
struct ClientLink {
    enum Change {
        case connected(HardwareAddress?)
        case disconnected(HardwareAddress?, ReasonCode?, RadioEvent.Side?)
        case roamed(from: HardwareAddress?, to: HardwareAddress?)
    }

    /// How and when the last connection ended.
    private struct Departure {
        let address: HardwareAddress?
        let time: Monotonic
        var by: RadioEvent.Side?
        var isTold: Bool
    }

    /// For so long a sample that contradicts an event may be older than the event.
    private static let settling: Nanoseconds = .seconds(2)
    /// The time for which a station is connected counts whole seconds, at both ends.
    private static let slack: Nanoseconds = .seconds(2)
    /// For so long an event may come after the sample that showed the same.
    private static let lateness: Nanoseconds = .seconds(3)
    /// A client that leaves an access point and is so soon at another one has moved: of a supplicant that roams by
    /// itself the kernel says nothing else.
    private static let move: Nanoseconds = .seconds(3)

    private(set) var association: Association?
    /// The association before, which a late sample may show once more.
    private var former: Association?
    private var departure: Departure?
    /// When a sample last showed a move of which no event had told.
    private var moved: Monotonic?
    private var wasObserved = false
    private(set) var lastDisconnect: RadioState.Disconnect?

    // MARK: By events

    /// - Parameters:
    ///   - isRoam: whether the driver calls it so.
    ///   - isSameNetwork: whether two access points may be of one network.
    mutating func connected(
        _ address: HardwareAddress?, isRoam: Bool, at now: Monotonic, into totals: inout RadioTotals,
        isSameNetwork: (HardwareAddress, HardwareAddress) -> Bool
    ) -> Change? {
        let before = association
        if let before, address == nil || before.address == nil || before.address == address {
            // A sample has shown it, or the driver tells it twice.
            if now - before.since <= (before.isTold ? .seconds(1) : Self.lateness) {
                association?.isTold = true
                association?.address = address ?? before.address
                return nil
            }
        }
        begin(Association(address, since: now, isTold: true))
        guard let before else { return arrive(address, isRoam, now, &totals, isSameNetwork) }
        if let address, let left = before.address, left != address {
            totals.roams &+= 1
            return .roamed(from: left, to: address)
        }
        if isRoam { return nil }
        totals.disconnects &+= 1
        totals.connects &+= 1
        return .connected(address)
    }

    mutating func disconnected(
        reason: ReasonCode?, by side: RadioEvent.Side, at now: Monotonic, into totals: inout RadioTotals
    ) -> Change? {
        guard let association else {
            if let departure, !departure.isTold, now - departure.time <= Self.lateness {
                self.departure?.isTold = true
                self.departure?.by = side
                lastDisconnect = RadioState.Disconnect(reason: reason, by: side, time: departure.time)
            }
            return nil
        }
        if !association.isTold, let moved, now - moved <= .seconds(1) {
            // The end of the association before, whose successor a sample has shown already.
            lastDisconnect = RadioState.Disconnect(reason: reason, by: side, time: now)
            return nil
        }
        return end(reason: reason, by: side, isTold: true, at: now, into: &totals)
    }

    // MARK: By samples

    /// - Parameters:
    ///   - figures: of the access point; nil if there is none.
    ///   - began: when the service first looked: an association that is older counts from its first sample.
    mutating func observed(
        _ figures: StationFigures?, at now: Monotonic, began: Monotonic, into totals: inout RadioTotals,
        isSameNetwork: (HardwareAddress, HardwareAddress) -> Bool
    ) -> Change? {
        let isFirst = !wasObserved
        wasObserved = true
        guard let figures else {
            guard let association, !isSettling(association, now) else { return nil }
            return end(reason: nil, by: nil, isTold: false, at: now, into: &totals)
        }
        let start = Association.start(of: figures, at: now)
        guard let current = association else {
            return arrived(figures, start, isFirst: isFirst, began, now, &totals, isSameNetwork)
        }
        if isSettling(current, now), isStale(figures, start, against: current) { return nil }
        if let address = current.address, address != figures.address {
            totals.roams &+= 1
            begin(Association(figures.address, since: now, isTold: false))
            moved = now
            take(figures, now, &totals)
            return .roamed(from: address, to: figures.address)
        }
        if current.figures == nil, former?.address == figures.address, isBefore(start, current.since) {
            // The driver goes on as if nothing had happened, and so do its counters.
            association = Association(
                figures.address, since: current.since, isTold: true, baseline: former?.baseline)
        } else if current.isOver(by: figures, at: now) {
            totals.disconnects &+= 1
            totals.connects &+= 1
            begin(Association(figures.address, since: now, isTold: false))
            take(figures, now, &totals)
            return .connected(figures.address)
        }
        take(figures, now, &totals)
        return nil
    }

    /// The interface is gone, or is a client no longer.
    mutating func vanished(at now: Monotonic, into totals: inout RadioTotals) -> Change? {
        association == nil ? nil : end(reason: nil, by: nil, isTold: false, at: now, into: &totals)
    }

    // MARK: Parts

    private mutating func arrived(
        _ figures: StationFigures, _ start: Monotonic?, isFirst: Bool, _ began: Monotonic, _ now: Monotonic,
        _ totals: inout RadioTotals, _ isSameNetwork: (HardwareAddress, HardwareAddress) -> Bool
    ) -> Change? {
        var baseline: CounterBaseline?
        if let departure, departure.address == figures.address {
            let isOld = isBefore(start, departure.time)
            if departure.isTold, isOld || start == nil, now - departure.time < Self.settling { return nil }
            if isOld { baseline = former?.baseline }
        }
        let isOlder = isFirst && departure == nil && start.map { $0 < began } ?? true
        if isOlder { baseline = CounterBaseline(countsFromZero: false) }
        begin(Association(figures.address, since: now, isTold: false, baseline: baseline))
        take(figures, now, &totals)
        return isOlder ? nil : arrive(figures.address, false, now, &totals, isSameNetwork)
    }

    /// Counts a connection that no other one precedes, or one that has just ended.
    private func arrive(
        _ address: HardwareAddress?, _ isRoam: Bool, _ now: Monotonic, _ totals: inout RadioTotals,
        _ isSameNetwork: (HardwareAddress, HardwareAddress) -> Bool
    ) -> Change {
        guard let departure else {
            if isRoam { totals.roams &+= 1 } else { totals.connects &+= 1 }
            return isRoam ? .roamed(from: nil, to: address) : .connected(address)
        }
        totals.connects &+= 1
        guard let left = departure.address, let address, left != address, now - departure.time <= Self.move,
            departure.by != .accessPoint, isSameNetwork(left, address)
        else { return .connected(address) }
        totals.roams &+= 1
        return .roamed(from: left, to: address)
    }

    private mutating func begin(_ new: Association) {
        former = association ?? former
        association = new
        moved = nil
    }

    private mutating func take(_ figures: StationFigures, _ now: Monotonic, _ totals: inout RadioTotals) {
        association?.observed(figures, at: now, into: &totals)
    }

    private mutating func end(
        reason: ReasonCode?, by side: RadioEvent.Side?, isTold: Bool, at now: Monotonic,
        into totals: inout RadioTotals
    ) -> Change {
        let address = association?.address
        former = association
        association = nil
        departure = Departure(address: address, time: now, by: side, isTold: isTold)
        lastDisconnect = RadioState.Disconnect(reason: reason, by: side, time: now)
        totals.disconnects &+= 1
        return .disconnected(address, reason, side)
    }

    /// Whether an event has told of the association just now and no sample has shown it.
    private func isSettling(_ association: Association, _ now: Monotonic) -> Bool {
        association.isTold && association.figures == nil && now - association.since < Self.settling
    }

    /// Whether the sample is of the association before the one that an event told of.
    private func isStale(_ figures: StationFigures, _ start: Monotonic?, against current: Association) -> Bool {
        start == nil ? current.address.map { $0 != figures.address } ?? false : isBefore(start, current.since)
    }

    private func isBefore(_ start: Monotonic?, _ time: Monotonic) -> Bool {
        start.map { $0 < time - Self.slack } ?? false
    }
}
