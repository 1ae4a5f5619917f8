// SPDX-License-Identifier: Apache-2.0
import Time

/// What a box has counted since it started.
struct SimulatedCounts: Equatable {
    var packets: Int64 = 0
    /// Before repair, and after it.
    var missing: Int64 = 0
    var lost: Int64 = 0
    var windows: Int64 = 0
    var failedWindows: Int64 = 0
    var retries: Int64 = 0
    /// Pictures that were shown, and those of them that were not whole.
    var pictures: Int64 = 0
    var damagedPictures: Int64 = 0

    static func - (left: Self, right: Self) -> Self {
        SimulatedCounts(
            packets: left.packets - right.packets, missing: left.missing - right.missing, lost: left.lost - right.lost,
            windows: left.windows - right.windows, failedWindows: left.failedWindows - right.failedWindows,
            retries: left.retries - right.retries, pictures: left.pictures - right.pictures,
            damagedPictures: left.damagedPictures - right.damagedPictures)
    }
}

extension SimulatedVenue {
    /// Sums over the time from the start of a box. They never fall, since each is a sum of what has come at rates that the
    /// stories change.
    func counts(of box: Int, from start: Nanoseconds, to instant: Nanoseconds) -> SimulatedCounts {
        let seconds = max(0, (instant - start).inSeconds)
        var (missing, lost, failed) = (usualLoss(of: box) * seconds, 0.0, 0.0)
        lost = max(0, usualLoss(of: box) - Self.repairedPart) * seconds
        for story in stories where concerns(box, story) {
            let lasted = story.seconds(until: instant) - story.seconds(until: start)
            let loss = Self.loss(of: story.name)
            missing += loss * lasted
            lost += max(0, loss - Self.repairedPart) * lasted
        }
        failed = min(seconds, lost * 6)
        return SimulatedCounts(
            packets: Int64(seconds * Self.packetsPerSecond - lost * Self.packetsPerSecond),
            missing: Int64(missing * Self.packetsPerSecond), lost: Int64(lost * Self.packetsPerSecond),
            windows: Int64(seconds * Self.windowsPerSecond), failedWindows: Int64(failed * Self.windowsPerSecond),
            retries: Int64(seconds * 3 + missing * 900), pictures: Int64(seconds * 50),
            damagedPictures: Int64(failed * 20))
    }
}
