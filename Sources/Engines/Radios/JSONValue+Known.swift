// SPDX-License-Identifier: Apache-2.0
import JSON

extension JSONValue {
    /// `null` if there is no value: it is not known.
    init(known value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(known value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    init(known value: UInt32?) { self = value.map { .integer(Int64($0)) } ?? .null }
    init(known value: UInt64?) { self = value.map { .integer(Int64(clamping: $0)) } ?? .null }
    init(known value: String?) { self = value.map { .string($0) } ?? .null }
    init(known value: [Int]?) { self = value.map { .array($0.map { .integer(Int64($0)) }) } ?? .null }
}
