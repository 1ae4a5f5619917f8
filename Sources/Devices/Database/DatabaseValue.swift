// SPDX-License-Identifier: Apache-2.0
internal import CLibSQLite

extension Database {
    /// A value of a row.
    public enum Value: Equatable, Sendable {
        case integer(Int64)
        case text(String)
        case octets([UInt8])
        case null

        public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
        public var text: String? { if case .text(let value) = self { value } else { nil } }
        public var octets: [UInt8]? { if case .octets(let value) = self { value } else { nil } }

        /// NULL for nil.
        public static func optional(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
        public static func optional(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    }
}

extension Database.Value {
    init(_ statement: OpaquePointer, _ column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_NULL: self = .null
        case SQLITE_BLOB:
            let octets = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .octets(Array(UnsafeRawBufferPointer(start: octets, count: octets == nil ? 0 : count)))
        default:
            guard let octets = sqlite3_column_text(statement, column) else {
                self = .null
                return
            }
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .text(String(decoding: UnsafeBufferPointer(start: octets, count: count), as: UTF8.self))
        }
    }

    /// - Returns: SQLite's code.
    func bind(to statement: OpaquePointer, at place: CInt) -> CInt {
        switch self {
        case .integer(let integer): return sqlite3_bind_int64(statement, place, integer)
        case .text(var text):
            guard !text.isEmpty else { return tl_sqlite_bind_text(statement, place, "", 0) }
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    tl_sqlite_bind_text(statement, place, $0.baseAddress, CInt($0.count))
                }
            }
        case .octets(let octets):
            return octets.withUnsafeBytes { tl_sqlite_bind_octets(statement, place, $0.baseAddress, CInt($0.count)) }
        case .null: return sqlite3_bind_null(statement, place)
        }
    }
}
