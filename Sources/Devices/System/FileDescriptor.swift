// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A descriptor with one owner: closed when the value ends.
public struct FileDescriptor: ~Copyable, Sendable {
    public let rawValue: CInt

    /// - Parameter rawValue: an open descriptor that nobody else closes.
    public init(adopting rawValue: CInt) {
        precondition(rawValue >= 0)
        self.rawValue = rawValue
    }

    deinit { close(rawValue) }
}
