// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A system call that failed: the call, its operand and the reason.
public struct SystemCallError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call with its operand, as in `open /var/lib/touchline/id`.
    public let call: String
    public let code: Errno

    public init(_ call: String, _ code: Errno) {
        self.call = call
        self.code = code
    }

    public var description: String { "\(call): \(code)" }
}

/// Runs a call that reports failure as -1 with `errno`, and repeats it on EINTR.
@inline(never)
public func syscall<T: FixedWidthInteger>(
    _ name: @autoclosure () -> String, _ body: () -> T
) throws(SystemCallError) -> T {
    while true {
        let result = body()
        guard result == -1 else { return result }
        let code = Errno.current  // read first: nothing may run in between
        if code != .interrupted { throw SystemCallError(name(), code) }
    }
}
