// SPDX-License-Identifier: Apache-2.0
import Glibc
import System

extension Errno {
    static let noMemory = Errno(rawValue: ENOMEM)
    static let busy = Errno(rawValue: EBUSY)
    static let brokenPipe = Errno(rawValue: EPIPE)
    static let invalid = Errno(rawValue: EINVAL)
    /// "No such device or address": the node has no driver.
    static let notThere = Errno(rawValue: ENXIO)
}
