// SPDX-License-Identifier: Apache-2.0
import Timelines

/// The timeline that what plays in the main region is held to. Only the feature Sync changes it.
/// - Thread: the control loop's only.
public final class TimelineView {
    /// From ticks of the timeline to the time stamps of the medium, 90 kHz; nil while no timeline is followed.
    public var medium: ClockPath?

    public init() {}
}
