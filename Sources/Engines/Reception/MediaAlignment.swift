// SPDX-License-Identifier: Apache-2.0
import RTP
import Time
import Timelines

/// Places sound on the timeline of the pictures when each has its own RTP time stamps. RTCP sender reports relate both
/// to the sender's wall clock once a report of each has come. Until then arrivals align them, since a sender sends what
/// belongs together at about the same time.
struct MediaAlignment {
    /// Alignment by arrival is not more exact than this; smaller changes are ignored.
    private static let tolerance = Nanoseconds.milliseconds(40)
    /// Reports that place the media further than this from their arrivals are not believed: the sender has no common
    /// clock for them.
    private static let mostDisagreement = Nanoseconds.seconds(3)

    private struct TimeLine {
        let rate: TickRate
        var unwrapper = TimestampUnwrapper(bits: 32)
        /// Wall-clock time (NTP format) and time on this timeline of one instant; nil before a report came.
        var report: (wallTime: UInt64, time: Nanoseconds)?
        /// The least differences between arrival and media time. They age, so that a wrong arrival, or the drift of the
        /// sender's clock, does not shift the sound for ever.
        var delays = WindowMinima()

        mutating func time(of timestamp: UInt32) -> Nanoseconds {
            rate.nanoseconds(unwrapper.unwrap(UInt64(timestamp)))
        }

        mutating func received(_ time: Nanoseconds, at arrival: Monotonic) {
            let now = Nanoseconds(arrival.nanoseconds) - time
            if delays.isOver(at: arrival) { delays.close() }
            delays.add(now, at: arrival)
        }

        mutating func restart() {
            unwrapper.reset()
            report = nil
            delays.removeAll()
        }
    }

    /// Sender reports that were used for alignment, and those that were not believed.
    private(set) var reports: Int64 = 0
    private(set) var doubtfulReports: Int64 = 0
    private var pictures: TimeLine
    private var sound: TimeLine
    private let hasPictures: Bool
    /// What has to be added to a time of the sound to have it on the timeline of the pictures; nil when it is not
    /// known.
    private var shift: Nanoseconds?
    private var isReported = false

    /// The arguments are RTP clock rates, Hz; nil for a medium that the channel does not have.
    init(pictureRate: Int?, soundRate: Int?) {
        pictures = TimeLine(rate: TickRate(Int64(pictureRate ?? 90_000)))
        sound = TimeLine(rate: TickRate(Int64(soundRate ?? 90_000)))
        hasPictures = pictureRate != nil
    }

    mutating func pictureTime(of timestamp: UInt32) -> Nanoseconds { pictures.time(of: timestamp) }

    /// - Parameter time: decoding time of the picture, which is about when it is sent.
    mutating func pictureReceived(decodedAt time: Nanoseconds, at arrival: Monotonic) {
        pictures.received(time, at: arrival)
    }

    /// - Returns: time on the timeline of the pictures, or of the sound itself if the channel has no pictures; nil
    ///   before the first picture.
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
        guard report.wallTime != 0, pictures.delays.least != nil else { return }
        pictures.report = (report.wallTime, Self.time(of: report, pictures))
        align()
    }

    mutating func soundReportReceived(_ report: SenderReport) {
        guard report.wallTime != 0, sound.delays.least != nil else { return }
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
        guard let first = pictures.delays.least, let second = sound.delays.least else { return nil }
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
