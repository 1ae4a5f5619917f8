// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// The clients of an access point, by events and by samples.
struct ClientTable {
    /// Who has come and gone since the last sample, or by the last event.
    struct Changes {
        var joined: [HardwareAddress] = []
        var left: [HardwareAddress] = []
        /// Clients for which there was no room.
        var passedOver = 0
    }

    /// For so long a sample that contradicts an event may be older than the event.
    private static let settling: Nanoseconds = .seconds(2)
    private static let mostGone = 2_048

    private var clients: [HardwareAddress: Association] = [:]
    /// When events told that these clients have left.
    private var gone: [HardwareAddress: Monotonic] = [:]
    private var wasObserved = false

    var count: Int { clients.count }
    /// By their addresses; those of which there is no sample yet are missing.
    var figures: [StationFigures] {
        clients.values.compactMap(\.figures).sorted { $0.address.bits < $1.address.bits }
    }

    mutating func appeared(
        _ address: HardwareAddress, room: Int, at now: Monotonic, into totals: inout RadioTotals
    ) -> Changes {
        guard clients[address] == nil else {
            clients[address]?.isTold = true
            return Changes()
        }
        guard clients.count < room else { return Changes(passedOver: 1) }
        gone[address] = nil
        clients[address] = Association(address, since: now, isTold: true)
        totals.connects &+= 1
        return Changes(joined: [address])
    }

    mutating func left(_ address: HardwareAddress, at now: Monotonic, into totals: inout RadioTotals) -> Changes {
        guard clients.removeValue(forKey: address) != nil else { return Changes() }
        if gone.count < Self.mostGone { gone[address] = now }
        totals.disconnects &+= 1
        return Changes(left: [address])
    }

    mutating func observed(
        _ samples: [StationFigures], room: Int, at now: Monotonic, began: Monotonic, into totals: inout RadioTotals
    ) -> Changes {
        let isFirst = !wasObserved
        wasObserved = true
        gone = gone.filter { now - $0.value < Self.settling }
        var changes = Changes()
        var seen: Set<HardwareAddress> = []
        for sample in samples where sample.isAssociated != false && gone[sample.address] == nil {
            guard clients[sample.address] != nil || clients.count < room else {
                changes.passedOver += 1
                continue
            }
            guard seen.insert(sample.address).inserted else { continue }
            take(sample, isFirst: isFirst, at: now, began, &totals, &changes)
        }
        for (address, client) in clients where !seen.contains(address) {
            if client.figures == nil, now - client.since < Self.settling { continue }
            clients[address] = nil
            totals.disconnects &+= 1
            changes.left.append(address)
        }
        changes.left.sort { $0.bits < $1.bits }
        return changes
    }

    /// The interface is gone, or is no access point any more.
    mutating func vanished(into totals: inout RadioTotals) -> Changes {
        let left = clients.keys.sorted { $0.bits < $1.bits }
        clients = [:]
        gone = [:]
        totals.disconnects &+= UInt64(left.count)
        return Changes(left: left)
    }

    private mutating func take(
        _ sample: StationFigures, isFirst: Bool, at now: Monotonic, _ began: Monotonic, _ totals: inout RadioTotals,
        _ changes: inout Changes
    ) {
        var client = clients[sample.address]
        if client?.isOver(by: sample, at: now) == true {
            totals.disconnects &+= 1
            client = nil
        }
        if client == nil {
            let isOlder = isFirst && Association.start(of: sample, at: now).map { $0 < began } ?? true
            client = Association(
                sample.address, since: now, isTold: false, baseline: CounterBaseline(countsFromZero: !isOlder))
            if !isOlder {
                totals.connects &+= 1
                changes.joined.append(sample.address)
            }
        }
        client?.observed(sample, at: now, into: &totals)
        clients[sample.address] = client
    }
}
