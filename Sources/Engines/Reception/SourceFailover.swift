// SPDX-License-Identifier: Apache-2.0
import Time

/// Which of the sources that send the same is listened to.
///
/// One is, as long as it is heard. When it is silent for the patience, the next one is joined beside it, after another
/// patience the one behind that, and so on around, until any is heard: that one stays and the others are left. A source
/// that was tried is not given up before (networks take their time for a join), and the silent one, should it come back
/// first, has never been left. Nothing leads back to the first by itself: whichever is heard plays undisturbed, and the
/// first is asked again when that one falls silent.
///
/// So the gap is the patience, how often the owner calls `tick`, and the network's own time for a join, once for each
/// source that is tried in vain.
public struct SourceFailover: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        case join(Int)
        case leave(Int)
    }

    /// Joined at once; the kernel has 10 for a socket (`net.ipv4.igmp_max_msf`).
    public static let mostJoined = 8

    private let count: Int
    private let patience: Nanoseconds
    /// In the order in which they were joined; the one that is heard alone, else all that are tried.
    public private(set) var joined = [0]
    /// The one that was heard last, or is first hoped for.
    public private(set) var current = 0
    public private(set) var changes = 0
    private var deadline: Monotonic

    /// - Parameters:
    ///   - count: of sources, at least 1; the first of them is joined.
    ///   - patience: silence of the heard source until the next is joined.
    public init(count: Int, patience: Nanoseconds, joinedAt now: Monotonic) {
        precondition(count > 0)
        self.count = count
        self.patience = patience
        deadline = now + patience
    }

    /// Whether more than the current one is joined.
    public var isSearching: Bool { joined != [current] }

    /// - Parameter arrival: of its newest datagram.
    public mutating func heard(_ source: Int, at arrival: Monotonic) -> [Action] {
        guard joined.contains(source) else { return [] }
        deadline = max(deadline, arrival + patience)
        guard source != current || isSearching else { return [] }
        let others = joined.filter { $0 != source }
        joined = [source]
        if source != current { changes += 1 }
        current = source
        return others.map { .leave($0) }
    }

    public mutating func tick(at now: Monotonic) -> [Action] {
        guard count > 1, now >= deadline, let last = joined.last else { return [] }
        let next = (last + 1) % count
        deadline = now + patience
        guard !joined.contains(next) else { return [] }  // all are
        var actions: [Action] = [.join(next)]
        if joined.count == Self.mostJoined { actions.insert(.leave(joined.removeFirst()), at: 0) }
        joined.append(next)
        return actions
    }

    /// Silence had another reason: the link was away.
    public mutating func restarted(at now: Monotonic) { deadline = now + patience }
}
