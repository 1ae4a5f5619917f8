// SPDX-License-Identifier: Apache-2.0
import System
import Wireless

/// Where the figures of the radios come from: the kernel, or a test.
public struct RadioFeed {
    /// The reports since the last call, in order.
    public var takeReports: () -> [RadioWatch.Report]
    /// Looks at once.
    public var look: () -> Void
    public var stop: () -> Void

    public init(
        takeReports: @escaping () -> [RadioWatch.Report], look: @escaping () -> Void, stop: @escaping () -> Void
    ) {
        self.takeReports = takeReports
        self.look = look
        self.stop = stop
    }

    /// The kernel's own word.
    public static func ofKernel(_ wake: @escaping @Sendable () -> Void) throws(SystemCallError) -> RadioFeed {
        let watch = try RadioWatch(wake: wake)
        return RadioFeed(takeReports: { watch.takeReports() }, look: { watch.look() }, stop: { watch.stop() })
    }
}
