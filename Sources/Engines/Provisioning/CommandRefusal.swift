// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import Time

/// Why a group command is not carried out. The cases are in the order of the checks. What needs no signature is checked
/// first, because a signature is what costs most to check; nothing is remembered of a command before its signature was
/// found right.
public enum CommandRefusal: Error, Equatable, Sendable {
    case tooLong(EnvelopeError)
    case malformed(EnvelopeError)
    case otherTarget(OrderTarget)
    case unknownKey(String)
    case keyExpired(key: String, WallTime)
    case keyWithoutTarget(key: String, OrderTarget)
    case keyWithoutCommand(key: String, String)
    case notForGroups(String)
    case clockNotSet
    case early(WallTime, judged: WallTime)
    case expired(WallTime, judged: WallTime)
    case replayed(sequence: Int64, highest: Int64)
    case jump(sequence: Int64, highest: Int64)
    case tooMany(String)
    case wrongSignature(key: String)
    /// What the box remembers of sequences could not be read or written, or has no room.
    case memory(String)

    /// The kinds of refusals, by which they are counted.
    public enum Reason: String, Sendable, CaseIterable {
        case tooLong, malformed, otherTarget, unknownKey, keyExpired, keyWithoutTarget, keyWithoutCommand, notForGroups
        case clockNotSet, early, expired, replayed, jump, tooMany, wrongSignature, memory
    }

    public var reason: Reason {
        switch self {
        case .tooLong: .tooLong
        case .malformed: .malformed
        case .otherTarget: .otherTarget
        case .unknownKey: .unknownKey
        case .keyExpired: .keyExpired
        case .keyWithoutTarget: .keyWithoutTarget
        case .keyWithoutCommand: .keyWithoutCommand
        case .notForGroups: .notForGroups
        case .clockNotSet: .clockNotSet
        case .early: .early
        case .expired: .expired
        case .replayed: .replayed
        case .jump: .jump
        case .tooMany: .tooMany
        case .wrongSignature: .wrongSignature
        case .memory: .memory
        }
    }
}

extension CommandRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let error), .malformed(let error): "the group command is not understood: \(error)"
        case .otherTarget(let target): "the group command is for \(target), and not for this box"
        case .unknownKey(let id): "the signature is of key \"\(id)\"; expected one of push.keys"
        case .keyExpired(let key, let time): "key \"\(key)\" expired at \(time); expected a newer key"
        case .keyWithoutTarget(let key, let target):
            "key \"\(key)\" may not address \(target); expected one of its targets in push.keys"
        case .keyWithoutCommand(let key, let command):
            "key \"\(key)\" may not give \"\(command)\"; expected one of its commands in push.keys"
        case .notForGroups(let why): why
        case .clockNotSet: "nobody has set the clock of this box; expected one that is set, such as by NTP"
        case .early(let time, let judged): "the group command was signed at \(time), and it is \(judged)"
        case .expired(let time, let judged): "the group command expired at \(time), and it is \(judged)"
        case .replayed(let sequence, let highest):
            "sequence \(sequence) is not new; expected one above \(highest)"
        case .jump(let sequence, let highest):
            "sequence \(sequence) is too far from \(highest); expected at most \(highest + OrderAdmission.widestJump)"
        case .tooMany(let what): what
        case .wrongSignature(let key):
            "the signature of key \"\(key)\" is wrong; the group command was changed or signed by another"
        case .memory(let problem): "what the box remembers of group commands is not kept: \(problem)"
        }
    }
}
