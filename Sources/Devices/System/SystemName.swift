// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What this machine is called.
public enum SystemName {
    /// The name that the kernel has for it (gethostname(2)); empty if it has none.
    public static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
