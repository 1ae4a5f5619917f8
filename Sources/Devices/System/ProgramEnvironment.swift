// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The environment variables of this process.
public enum ProgramEnvironment {
    /// The value; nil if the variable is not set, or has nothing.
    public static subscript(name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
