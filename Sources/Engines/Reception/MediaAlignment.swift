// SPDX-License-Identifier: Apache-2.0
import RTP
import Time

/// Places sound on the time line of its pictures when each comes with time stamps of its own: by RTCP, which says what of
/// either belongs to which wall-clock time, once it has said so of both; till then by arrival, since senders send what
/// belongs together at about the same time.
struct MediaAlignment {
    /// By arrival nobody can tell better than that.
    private static let tolerance = Nanoseconds.milliseconds(40)
    /// A sender whose reports put media so far from where they arrive has no common clock for them.
    private static let mostDisagreement = Nanoseconds.seconds(3)

    private struct TimeLine {
        let rate: TickRate
        var unwrapper = TimestampUnwrapper(bits: 32)
        /// Wall-clock time and the time on the line of one instant.
        var report: (wallTime: UInt64, time: Nanoseconds)?
        /// From time to arrival, of what was delayed least.
        var delay: Nanoseconds?

        mutating func time(of timestamp: UInt32) -> Nanoseconds {
            rate.nanoseconds(unwrapper.unwrap(UInt64(timestamp)))
        }

        mutating func received(_ time: Nanoseconds, at arrival: Monotonic) {
            let now = Nanoseconds(arrival.nanoseconds) - time
            delay = delay.map { min($0, now) } ?? now
        }

        mutating func restart() {
            unwrapper.reset()
            report = nil
            delay = nil
        }
    }

    /// Reports that were believed, and those that were not.
    private(set) var reports: Int64 = 0
    private(set) var doubtfulReports: Int64 = 0
    private var pictures: TimeLine
    private var sound: TimeLine
    private let hasPictures: Bool
    /// From the time line of sound to that of pictures.
    private var shift: Nanoseconds?
    private var isReported = false

    /// - Parameters: clock rates of the time stamps; nil for a medium that there is not.
    init(pictureRate: Int?, soundRate: Int?) {
        pictures = TimeLine(rate: TickRate(Int64(pictureRate ?? 90_000)))
        sound = TimeLine(rate: TickRate(Int64(soundRate ?? 90_000)))
        hasPictures = pictureRate != nil
    }

    mutating func pictureTime(of timestamp: UInt32) -> Nanoseconds { pictures.time(of: timestamp) }

    /// - Parameter time: when it is decoded: that is when it is sent.
    mutating func pictureReceived(decodedAt time: Nanoseconds, at arrival: Monotonic) {
        pictures.received(time, at: arrival)
    }

    /// - Returns: on the time line of the pictures; nil before there are any.
    mutating func soundTime(of timestamp: UInt32, at arrival: Monotonic) -> Nanoseconds? {
        let time = sound.time(of: timestamp)
        guard hasPictures else { return time }
        sound.received(time, at: arrival)
        if !isReported, let found = shiftByArrival,
            shift.map({ (found - $0).magnitude > Self.tolerance }) ?? true
        {
            shift = found
        }
        return shift.map { time + $0 }
    }

    mutating func pictureReportReceived(_ report: SenderReport) {
        guard report.wallTime != 0, pictures.delay != nil else { return }
        pictures.report = (report.wallTime, Self.time(of: report, pictures))
        align()
    }

    mutating func soundReportReceived(_ report: SenderReport) {
        guard report.wallTime != 0, sound.delay != nil else { return }
        sound.report = (report.wallTime, Self.time(of: report, sound))
        align()
    }

    mutating func picturesRestart() {
        pictures.restart()
        forget()
    }

    mutating func soundRestarts() {
        sound.restart()
        forget()
    }

    private mutating func forget() {
        shift = nil
        isReported = false
    }

    private var shiftByArrival: Nanoseconds? {
        guard let first = pictures.delay, let second = sound.delay else { return nil }
        return second - first
    }

    private static func time(of report: SenderReport, _ line: TimeLine) -> Nanoseconds {
        line.rate.nanoseconds(line.unwrapper.nearest(UInt64(report.timestamp)))
    }

    private mutating func align() {
        guard let first = pictures.report, let second = sound.report else { return }
        let fraction = Int64(bitPattern: second.wallTime &- first.wallTime)
        let part = Int64(UInt64(bitPattern: fraction) & 0xFFFF_FFFF)
        let span = Nanoseconds((fraction >> 32) &* 1_000_000_000 &+ (part &* 1_000_000_000) >> 32)
        let found = first.time - second.time + span
        if let other = shiftByArrival, (found - other).magnitude > Self.mostDisagreement {
            doubtfulReports += 1
            return
        }
        reports += 1
        shift = found
        isReported = true
    }
}
