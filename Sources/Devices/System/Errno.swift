// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// A value of the C library's `errno`.
public struct Errno: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: CInt
    public init(rawValue: CInt) { self.rawValue = rawValue }

    public static let interrupted = Errno(rawValue: EINTR)
    public static let wouldBlock = Errno(rawValue: EAGAIN)
    public static let notFound = Errno(rawValue: ENOENT)
    public static let exists = Errno(rawValue: EEXIST)
    public static let noMemory = Errno(rawValue: ENOMEM)
    public static let noDevice = Errno(rawValue: ENODEV)
    public static let notPermitted = Errno(rawValue: EACCES)
    public static let invalid = Errno(rawValue: EINVAL)
    public static let networkDown = Errno(rawValue: ENETDOWN)
    public static let refused = Errno(rawValue: ECONNREFUSED)

    public static var current: Errno { Errno(rawValue: errno) }

    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            text.initialize(repeating: 0)
            guard let base = text.baseAddress, touchline_error_text(rawValue, base, text.count) == 0 else {
                return "error \(rawValue)"
            }
            return String(cString: base)
        }
    }
}
