// SPDX-License-Identifier: Apache-2.0

/// What PostgreSQL, or the way to it, says is wrong. No password is ever part of it, nor what a row has.
public struct ClusterError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What its caller can act on.
    public enum Kind: String, Sendable, CaseIterable {
        /// No host answers, or none that may be written; the connection is of no more use. Whether a COMMIT that was under
        /// way has been carried out is not known.
        case unreachable
        /// The host has committed, but not as many standbys as it wants: if the host is lost, so is this.
        case unconfirmed
        /// The host is a standby by now, or the database only reads. Another host may be the one that writes.
        case readOnly
        /// The host's disk has no room.
        case full
        /// A row is there already that may be there once.
        case conflict
        /// Two transactions were in each other's way: the same again may succeed.
        case serialisation
        /// It took too long, or there are too many connections.
        case busy
        /// The role may not do it, or is not known.
        case denied
        /// The host's disk does not read or write.
        case failing
        case damaged
        /// A statement is wrong, or a row is not what a table takes.
        case other
    }

    public let kind: Kind
    /// SQLSTATE; nil if the host did not say anything.
    public let state: String?
    public let description: String

    public init(_ kind: Kind, state: String? = nil, _ description: String) {
        self.kind = kind
        self.state = state
        self.description = description
    }

    /// - Parameter state: SQLSTATE, by which alone errors are told apart: their texts are in the server's language.
    init(state: String, message: String) {
        self.init(Self.kind(of: state), state: state, "\(message) (\(state))")
    }

    static func kind(of state: String) -> Kind {
        switch state {
        case "53100": return .full
        case "25006": return .readOnly
        case "40001", "40P01", "55P03": return .serialisation
        case "57014", "53000", "53200", "53300", "53400": return .busy
        case "58030": return .failing
        case "42501": return .denied
        case "XX001", "XX002": return .damaged
        default: break
        }
        switch state.prefix(2) {
        case "08": return .unreachable
        // It is stopped, has crashed, is not ready or has ended this connection.
        case "57": return .unreachable
        case "23": return .conflict
        case "28": return .denied
        default: return .other
        }
    }
}
