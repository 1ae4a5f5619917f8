// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A file descriptor with one owner; it is closed when the value is destroyed.
public struct FileDescriptor: ~Copyable, Sendable {
    public let rawValue: CInt

    /// - Parameter rawValue: an open descriptor that nothing else closes.
    public init(adopting rawValue: CInt) {
        precondition(rawValue >= 0)
        self.rawValue = rawValue
    }

    deinit { close(rawValue) }
}
