// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import Signing
import Time

/// A public key whose orders and group commands a box takes.
public struct OrderKey: Sendable {
    /// What `commands` calls the right to sign orders, which change settings: the command that takes them. No pattern stands
    /// for it, so that nobody gives this right by mistake.
    public static let orders = "push"

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
    /// What it may be addressed to.
    public let scopes: Set<Scope>
    /// What it may give: names of commands; a `*` at the end stands for any rest.
    public let commands: [String]
    /// From when on what it signs is refused; nil if that never comes.
    public let expires: WallTime?

    public init(
        id: String, key: VerifyingKey, scopes: Set<Scope>, commands: [String] = [orders], expires: WallTime? = nil
    ) {
        self.id = id
        self.key = key
        self.scopes = scopes
        self.commands = commands
        self.expires = expires
    }

    /// See `VerifyingKey.fingerprint`.
    public var fingerprint: String { key.fingerprint }

    /// Whether it may give this command to boxes.
    func mayGive(_ command: String) -> Bool {
        commands.contains { pattern in
            guard pattern.hasSuffix("*"), command != Self.orders else { return pattern == command }
            return command.hasPrefix(pattern.dropLast())
        }
    }

    /// Whether what it signs may be addressed so.
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

/// The keys that a box trusts and the names by which it is reached. The feature Push publishes them.
/// - Thread: the control loop's only.
public final class KeyRing {
    public private(set) var keys: [OrderKey] = []
    public private(set) var recipient = OrderRecipient(box: "", group: nil, tags: [])

    public init() {}

    public func publish(_ keys: [OrderKey], _ recipient: OrderRecipient) {
        (self.keys, self.recipient) = (keys, recipient)
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
