// SPDX-License-Identifier: Apache-2.0
import Timelines

/// The time of day that the screen shows, and whether the kernel's clock was set since the start. Only the feature
/// OnScreenDisplay changes it.
/// - Thread: the control loop's only.
public final class DisplayedClock {
    public var time = DisplayedTime()
    /// Whether the kernel says that its clock is synchronised.
    public let isSynchronised: () -> Bool

    public init(isSynchronised: @escaping () -> Bool) {
        self.isSynchronised = isSynchronised
    }
}
