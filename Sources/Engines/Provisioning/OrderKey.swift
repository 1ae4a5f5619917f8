// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import Signing
import Time

/// A public key whose orders a box takes.
public struct OrderKey: Sendable {
    /// What an order may be addressed to.
    public enum Scope: Hashable, Sendable, CustomStringConvertible {
        /// Anything.
        case all
        /// This box, by its id.
        case box
        case group(String)
        case tag(String)

        /// As settings write it.
        public var description: String {
            switch self {
            case .all: "all"
            case .box: "box"
            case .group(let name): "group:\(name)"
            case .tag(let name): "tag:\(name)"
            }
        }
    }

    public let id: String
    public let key: VerifyingKey
    public let scopes: Set<Scope>
    /// From when on its orders are refused; nil if that never comes.
    public let expires: WallTime?

    public init(id: String, key: VerifyingKey, scopes: Set<Scope>, expires: WallTime? = nil) {
        self.id = id
        self.key = key
        self.scopes = scopes
        self.expires = expires
    }

    /// Whether its orders may be addressed so.
    func mayAddress(_ target: OrderTarget) -> Bool {
        if scopes.contains(.all) { return true }
        return switch target {
        case .all: false
        case .box: scopes.contains(.box)
        case .group(let name): scopes.contains(.group(name))
        case .tag(let name): scopes.contains(.tag(name))
        }
    }
}

/// The names by which orders reach a box.
public struct OrderRecipient: Equatable, Sendable {
    public let box: String
    /// nil if it is in no group.
    public var group: String?
    public var tags: Set<String>

    public init(box: String, group: String?, tags: Set<String>) {
        self.box = box
        self.group = group
        self.tags = tags
    }

    public func isMeant(by target: OrderTarget) -> Bool {
        switch target {
        case .all: true
        case .box(let id): id == box
        case .group(let name): name == group
        case .tag(let name): tags.contains(name)
        }
    }
}

/// What a box knows of the time.
public struct OrderClock: Equatable, Sendable {
    public let now: WallTime
    /// Whether something that knows the time has set the clock.
    public let isSet: Bool
    /// When the program was built.
    public let built: WallTime

    public init(now: WallTime, isSet: Bool, built: WallTime) {
        self.now = now
        self.isSet = isSet
        self.built = built
    }

    /// The time by which an order is judged: while the clock is not set the later of the build's and of the last that was
    /// saved. The real time is no earlier.
    func judging(saved: WallTime) -> WallTime { isSet ? now : max(built, saved) }
}
