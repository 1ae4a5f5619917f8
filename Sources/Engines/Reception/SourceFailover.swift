// SPDX-License-Identifier: Apache-2.0
import Time

/// Chooses which of several interchangeable sources is received.
///
/// One source is joined as long as it is heard. When it has been silent for `patience`, the next one is joined beside
/// it, after another `patience` the one after that, and so on around, until any is heard: that one stays and the others
/// are left. A source that was tried stays joined until then, since a network may take long for a join; the silent
/// source was never left and may come back first. There is no return to the first source by itself: it is tried again
/// when the current one falls silent.
///
/// The silence of a data channel says nothing, since messages may be seldom. All its sources stay joined, and each time
/// that it has been silent for `patience` the next message may come from any of them.
///
/// So the gap of a fail-over is `patience`, plus the interval of `tick`, plus the network's time for a join; once more
/// for each source that is tried in vain.
public struct SourceFailover: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        case join(Int)
        case leave(Int)
    }

    /// Sources that are joined at the same time at most; the kernel allows 10 for a socket (`net.ipv4.igmp_max_msf`).
    public static let mostJoined = 8
    /// The longest wait between two joins of a data channel with more sources than may be joined.
    private static let longestWait = Nanoseconds.seconds(60)

    private let count: Int
    private let patience: Nanoseconds
    /// Whether silence says nothing.
    public let keepsAll: Bool
    /// Indices in the order of joining: the current source alone, or all that are being tried.
    public private(set) var joined = [0]
    /// The source that was heard last; the first source before any was.
    public private(set) var current = 0
    public private(set) var changes = 0
    private var deadline: Monotonic
    /// Arrival of the newest datagram, at first the time of joining.
    private var lastHeard: Monotonic
    /// Number of joins since a source was heard.
    private var tried = 0
    private var wait: Nanoseconds

    /// - Parameters:
    ///   - count: number of sources, at least 1; the first is joined.
    ///   - patience: how long the current source may be silent before the next is joined.
    ///   - keepsAll: whether silence says nothing, as in a data channel.
    public init(count: Int, patience: Nanoseconds, keepsAll: Bool = false, joinedAt now: Monotonic) {
        precondition(count > 0)
        self.count = count
        self.patience = patience
        self.keepsAll = keepsAll
        wait = patience
        lastHeard = now
        deadline = now + patience
    }

    /// Whether any source but the current one is joined.
    public var isSearching: Bool { joined != [current] }

    /// - Parameter arrival: arrival of the newest datagram of `source`.
    public mutating func heard(_ source: Int, at arrival: Monotonic) -> [Action] {
        guard joined.contains(source) else { return [] }
        deadline = max(deadline, arrival + patience)
        lastHeard = max(lastHeard, arrival)
        (tried, wait) = (0, patience)
        guard source != current || isSearching else { return [] }
        if source != current { changes += 1 }
        current = source
        guard !keepsAll else { return [] }
        let others = joined.filter { $0 != source }
        joined = [source]
        return others.map { .leave($0) }
    }

    /// Whether nothing has been heard for `patience`.
    public func isSilent(at now: Monotonic) -> Bool { now - lastHeard >= patience }

    public mutating func tick(at now: Monotonic) -> [Action] {
        guard count > 1, now >= deadline, let last = joined.last else { return [] }
        let next = (last + 1) % count
        tried += 1
        if keepsAll, tried >= count { wait = min(wait + wait, Self.longestWait) }
        deadline = now + wait
        guard !joined.contains(next) else { return [] }  // all sources are joined
        var actions: [Action] = [.join(next)]
        if joined.count == Self.mostJoined { actions.insert(.leave(joined.removeFirst()), at: 0) }
        joined.append(next)
        return actions
    }

    /// The silence had another cause: the link was down.
    public mutating func restarted(at now: Monotonic) { deadline = now + patience }
}
