// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import Time

/// Why an order is not taken. The cases are in the order of the checks; the settings are as before.
public enum OrderRefusal: Error, Equatable, Sendable {
    case tooLong(EnvelopeError)
    case malformed(EnvelopeError)
    case unknownKey([String])
    case wrongSignature(key: String)
    case keyExpired(key: String, WallTime)
    case keyWithoutTarget(key: String, OrderTarget)
    case keyWithoutCommand(key: String, String)
    case otherTarget(OrderTarget)
    case early(notBefore: WallTime, judged: WallTime)
    case expired(WallTime, judged: WallTime)
    case replayed(revision: Int64, highest: Int64)
    case jump(revision: Int64, highest: Int64)
    case otherBase(Int64, applied: Int64?)
    /// The memory of orders could not be read or written.
    case memory(String)
    /// The settings refused the change.
    case settings(String)

    /// The kinds of refusals, by which they are counted.
    public enum Reason: String, Sendable, CaseIterable {
        case tooLong, malformed, unknownKey, wrongSignature, keyExpired, keyWithoutTarget, keyWithoutCommand
        case otherTarget, early, expired, replayed, jump, otherBase, memory, settings
    }

    public var reason: Reason {
        switch self {
        case .tooLong: .tooLong
        case .malformed: .malformed
        case .unknownKey: .unknownKey
        case .wrongSignature: .wrongSignature
        case .keyExpired: .keyExpired
        case .keyWithoutTarget: .keyWithoutTarget
        case .keyWithoutCommand: .keyWithoutCommand
        case .otherTarget: .otherTarget
        case .early: .early
        case .expired: .expired
        case .replayed: .replayed
        case .jump: .jump
        case .otherBase: .otherBase
        case .memory: .memory
        case .settings: .settings
        }
    }
}

extension OrderRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let error), .malformed(let error): "the order is not understood: \(error)"
        case .unknownKey(let ids):
            "no signature is of a key of this box, but of \(Self.list(ids)); expected one of push.keys"
        case .wrongSignature(let key):
            "the signature of key \"\(key)\" is wrong; the order was changed or signed by another"
        case .keyExpired(let key, let time): "key \"\(key)\" expired at \(time); expected a newer key"
        case .keyWithoutTarget(let key, let target):
            "key \"\(key)\" may not address \(target); expected one of its targets in push.keys"
        case .keyWithoutCommand(let key, let command):
            "key \"\(key)\" may not give \"\(command)\"; expected one of its commands in push.keys"
        case .otherTarget(let target): "the order is for \(target), and not for this box"
        case .early(let notBefore, let judged): "the order counts from \(notBefore), and it is \(judged)"
        case .expired(let time, let judged): "the order expired at \(time), and it is \(judged)"
        case .replayed(let revision, let highest):
            "revision \(revision) is not new; expected one above \(highest)"
        case .jump(let revision, let highest):
            "revision \(revision) is too far from \(highest); expected at most \(highest + OrderAdmission.widestJump)"
        case .otherBase(let base, let applied):
            """
            the order builds on revision \(base), and \(applied.map { "\($0)" } ?? "none") is in force; send a \
            replacement
            """
        case .memory(let problem): "what the box remembers of orders is not kept: \(problem)"
        case .settings(let problem): problem
        }
    }

    private static func list(_ ids: [String]) -> String { ids.map { "\"\($0)\"" }.joined(separator: ", ") }
}
