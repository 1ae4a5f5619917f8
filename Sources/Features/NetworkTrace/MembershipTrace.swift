// SPDX-License-Identifier: Apache-2.0
import NetworkFiles
import Time

/// What changes in the kernel's tables of multicast groups from one look to the next.
struct MembershipTrace: Equatable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case joined, left
        /// A report is due, because a query was heard or the group was joined just now.
        case reportDue
        /// An interface has heard queries of MLD since the last look.
        case queryHeard
    }

    struct Entry: Equatable, Sendable {
        let time: WallTime
        let interface: String
        /// nil of what concerns all groups of the interface.
        let group: String?
        let kind: Kind
    }

    struct Place: Hashable, Sendable {
        let interface: String
        let group: String
    }

    /// The number of changes that are kept; the oldest give way.
    static let limit = 256

    private(set) var entries: [Entry] = []
    /// When each group was seen to be joined; a group that was there at the first look has no such time.
    private(set) var since: [Place: WallTime] = [:]
    private var rows: [Place: MembershipTable.Row]?
    private var queries: [String: UInt64] = [:]

    /// - Parameters:
    ///   - heard: the number of queries of MLD that each interface has heard.
    ///   - wall: the time of what has changed.
    /// - Returns: what has changed, in the order of the table; nothing at the first look.
    mutating func observe(
        _ table: [MembershipTable.Row], queries heard: [String: UInt64], at wall: WallTime
    ) -> [Entry] {
        var now: [Place: MembershipTable.Row] = [:]
        var order: [Place] = []
        for row in table {
            let place = Place(interface: row.interface, group: row.group.description)
            if now.updateValue(row, forKey: place) == nil { order.append(place) }
        }
        defer { (rows, queries) = (now, heard) }
        guard let before = rows else { return [] }
        var found: [Entry] = []
        func add(_ kind: Kind, _ interface: String, _ group: String? = nil) {
            found.append(Entry(time: wall, interface: interface, group: group, kind: kind))
        }
        for place in before.keys.sorted(by: { ($0.interface, $0.group) < ($1.interface, $1.group) })
        where now[place] == nil {
            since[place] = nil
            add(.left, place.interface, place.group)
        }
        for interface in heard.keys.sorted() {
            if let count = queries[interface], heard[interface] ?? 0 > count { add(.queryHeard, interface) }
        }
        for place in order {
            if before[place] == nil {
                since[place] = wall
                add(.joined, place.interface, place.group)
            } else if before[place]?.reportDueMs == nil, now[place]?.reportDueMs != nil {
                add(.reportDue, place.interface, place.group)
            }
        }
        entries = Array((entries + found).suffix(Self.limit))
        return found
    }
}
