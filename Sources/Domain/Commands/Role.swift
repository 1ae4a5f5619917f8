// SPDX-License-Identifier: Apache-2.0

/// The rights of a caller. Each role includes the rights of the roles before it.
public enum Role: String, Sendable, CaseIterable, Comparable {
    case viewer, `operator`, administrator

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .administrator: 2
        }
    }

    public static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }
}
