// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// The person or program that gives a command: where it comes from, and what it may do.
public struct Caller: Hashable, Sendable {
    public let origin: Origin
    /// nil for who may do only what everybody may.
    public let role: Role?
    /// The name of a token, the number of a local user, or the name of a data channel; nil if the caller has shown nothing
    /// that identifies it.
    public let name: String?
    /// Network address; nil for who came by no network.
    public let address: String?

    public init(_ origin: Origin, role: Role?, name: String? = nil, address: String? = nil) {
        self.origin = origin
        self.role = role
        self.name = name
        self.address = address
    }

    /// The service itself.
    public static let service = Caller(.service, role: .administrator)

    /// Whether it is at the box: on its control socket or its console, with every right.
    public var isAtBox: Bool {
        (origin == .localSocket || origin == .console || origin == .service) && role == .administrator
    }

    /// What the history of the settings calls it.
    public var author: String {
        guard origin == .http || origin == .console, let name else { return origin.rawValue }
        return "\(origin.rawValue) \(name)"
    }
}

/// What decides whether a caller may give a command.
public enum CommandAdmission: String, Sendable, CaseIterable {
    /// Whoever has the role.
    case role
    /// Everybody, because the command brings a right of its own, such as a signature or a code.
    case everybody
    /// Administrators at the box: by the control socket or the console.
    case atBox
}

extension CommandDescription {
    /// Why the caller may not give the command; nil if it may.
    public func refusal(of caller: Caller) -> String? {
        switch admission {
        case .everybody: return nil
        case .atBox where caller.isAtBox: return nil
        case .atBox: return "\(name) is given at the box: by its control socket or its console, by an administrator"
        case .role:
            if let role = caller.role, role >= self.role { return nil }
            return "\(name) needs the role \(role.rawValue); this is \(caller.role?.rawValue ?? "nobody that is known")"
        }
    }

    /// Arguments as logs and the audit may show them: without secrets, and without documents, which may have some.
    public func shown(_ arguments: JSONValue) -> JSONValue {
        guard case .object(var members) = ValueKind.record(requestFields).redacting(arguments) else { return [:] }
        for field in requestFields where members[field.name] != nil {
            if case .anything = field.type { members[field.name] = "…" }
        }
        return .object(members)
    }
}
