// SPDX-License-Identifier: Apache-2.0
import Time

/// A connection for whoever watches boxes and tells alerts: one reporter at a time of those that share a store.
/// - Thread: the one that opened it.
public struct AlertKeeper {
    /// Becomes the one that tells, or stays it.
    /// - Returns: a number that is another one each time that this reporter begins to tell; nil while another one does.
    public let lead: () throws(StoreError) -> Int64?
    /// The newest states of boxes behind a place, in the order of arrival, with their texts.
    public let states: (_ after: LatestPlace, _ limit: Int) throws(StoreError) -> [(LatestPlace, LatestState)]
    /// The texts of open alerts.
    public let open: () throws(StoreError) -> [String]
    /// Keeps alerts and what is to be told of them, all of it or nothing.
    /// - Parameter most: messages that may wait; beyond, the oldest are given up.
    /// - Returns: how many were given up.
    public let keep: (_ alerts: [KeptAlert], _ messages: [AlertMessage], _ most: Int) throws(StoreError) -> Int
    /// What is to be told, the oldest first.
    public let waiting: (_ target: String, _ limit: Int) throws(StoreError) -> [AlertMessage]
    /// Messages that need not be told any more, by their numbers.
    public let told: ([Int64]) throws(StoreError) -> Void
    /// Throws away alerts that ended before this.
    public let forget: (_ ended: WallTime) throws(StoreError) -> Void
}

/// Where a newest state stands among those of all boxes.
public struct LatestPlace: Equatable, Sendable {
    /// When it arrived, ms.
    public var arrived: Int64
    /// The number of the box.
    public var sender: Int64

    public init(arrived: Int64, sender: Int64) { (self.arrived, self.sender) = (arrived, sender) }
}

/// An alert as a store has it.
public struct KeptAlert: Equatable, Sendable {
    /// Ids sort by when alerts were opened.
    public var id: String
    /// nil while it is open.
    public var ended: WallTime?
    /// The JSON text.
    public var text: String

    public init(id: String, ended: WallTime?, text: String) { (self.id, self.ended, self.text) = (id, ended, text) }
}

/// What is to be told to somebody.
public struct AlertMessage: Equatable, Sendable {
    /// 0 before it is kept.
    public var number: Int64
    public var target: String
    public var text: String

    public init(number: Int64 = 0, target: String, text: String) {
        (self.number, self.target, self.text) = (number, target, text)
    }
}

/// Which alerts are asked for, those that were opened last first.
public struct AlertQuery: Equatable, Sendable {
    public enum State: String, Sendable, CaseIterable { case open, ended, all }

    public var state: State
    /// Behind this id; nil: from the newest.
    public var after: String?
    public var limit: Int

    public init(_ state: State, after: String? = nil, limit: Int) {
        (self.state, self.after, self.limit) = (state, after, limit)
    }

    /// Behind every id.
    var bound: String { after ?? "~" }
}
