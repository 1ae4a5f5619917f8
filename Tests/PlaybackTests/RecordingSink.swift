// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import System
import Time
import Timelines
import Venue

@testable import Playback

/// What a reader has given, instead of a session.
final class RecordingSink: SessionSink {
    struct Picture: Equatable {
        var unit: AccessUnit
        var time: Monotonic
        var octets: Int

        static func == (left: Picture, right: Picture) -> Bool {
            left.unit.pts == right.unit.pts && left.time == right.time && left.octets == right.octets
        }
    }

    var now: Monotonic { SystemClock.monotonic() }
    let stopping = StopFlag()
    /// Nothing later is read.
    var horizon = Monotonic(nanoseconds: .max)
    var isUrgent = false
    var hasRoomForPictures = true
    var hasRoomForSound = true
    var isCatchingUp = false
    var mayStartSound = true
    private(set) var pictures: [Picture] = []
    private(set) var soundTimes: [Monotonic?] = []
    private(set) var streams: [StreamInfo] = []
    private(set) var corrections: (pictures: [Nanoseconds], sound: [Nanoseconds]) = ([], [])
    /// What was said beside units, in order.
    private(set) var told: [String] = []
    private(set) var counters = PlaybackCounters()

    func forget() { (pictures, soundTimes, told) = ([], [], []) }

    func isSoon(_ time: Monotonic) -> Bool { time < horizon }
    func isUrgent(_ time: Monotonic) -> Bool { isUrgent }
    func sourceReady(duration: Nanoseconds?) { told.append(duration == nil ? "ready" : "ready, a duration") }
    func streamUnsupported(_ what: String) { told.append("unsupported \(what)") }
    func programsChanged(_ programs: [ListedProgram]) { told.append("programs \(programs.text)") }
    func nowNextChanged(_ nowNext: NowNext) { told.append("now and next") }
    func timeTold(_ time: StreamTime) { told.append("time \(time.utc)") }
    func timelineTold(_ timeline: CarriedTimeline) {
        let medium = timeline.medium.map { "\($0.parentTicks) at \($0.ticks)" } ?? "paused"
        told.append("timeline \(timeline.id.componentTag):\(timeline.id.number) \(medium)")
    }
    func pictureStreamBegan(_ codec: Codec?) { told.append("pictures \(codec?.rawValue ?? "none")") }
    func picturesCorrected(by span: Nanoseconds) { corrections.pictures.append(span) }
    func soundCorrected(by span: Nanoseconds) { corrections.sound.append(span) }
    func picturesChangeTimeline() { told.append("timeline of pictures") }
    func soundChangesTimeline() { told.append("timeline of sound") }
    func picturesBroke() { told.append("break") }
    func count(_ change: (inout PlaybackCounters) -> Void) { change(&counters) }

    func streamsChanged(_ streams: [StreamInfo]) {
        self.streams = streams
        told.append("streams \(streams.map(\.codec).joined(separator: " "))")
    }

    func pictureRead(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer) {
        pictures.append(Picture(unit: unit, time: correlation.time(of: unit.pts), octets: bytes.count))
    }

    func soundRead(_ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer) { soundTimes.append(time) }
}
