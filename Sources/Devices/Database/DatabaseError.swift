// SPDX-License-Identifier: Apache-2.0
internal import CLibSQLite

/// What SQLite says is wrong.
public struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What its caller can act on.
    public enum Kind: String, Sendable {
        /// The disk has no room.
        case full
        /// Another connection kept the file for longer than is waited for it.
        case busy
        /// The file, or the disk that it is on, cannot be written.
        case readOnly
        /// The file cannot be opened, or has another name by now.
        case gone
        /// The disk does not read or write.
        case failing
        /// The file is none of SQLite, or is damaged.
        case damaged
        /// A statement is wrong, or a row is not what a table takes.
        case other
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind = .other, description: String) {
        self.kind = kind
        self.description = description
    }

    /// - Parameter code: of SQLite; only its primary part counts.
    init(code: CInt, description: String) {
        let kind: Kind =
            switch code & 0xff {
            case SQLITE_FULL: .full
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_CANTOPEN: .gone
            case SQLITE_IOERR: .failing
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: .other
            }
        self.init(kind, description: description)
    }
}
