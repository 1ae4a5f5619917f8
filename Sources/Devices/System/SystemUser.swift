// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// Users of the system.
public enum SystemUser {
    /// The user of this process.
    public static var own: UInt32 { getuid() }

    /// The number of the user with this name; nil if there is none.
    public static func number(of name: String) -> UInt32? { UInt32(exactly: touchline_user_number(name)) }
}
