// SPDX-License-Identifier: Apache-2.0
import Timelines
import TransportStream

extension CarriedTimeline {
    init(_ mark: TimelineMark) {
        let (time, stamp) = (Int64(truncatingIfNeeded: mark.timestamp.ticks), Int64(truncatingIfNeeded: mark.pts))
        self.init(
            ID(componentTag: mark.componentTag, number: mark.timelineID), rate: Int64(mark.timestamp.timescale),
            medium: mark.isPaused ? nil : ClockCorrelation(parentTicks: time, ticks: stamp))
    }
}
