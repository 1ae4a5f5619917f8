// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time
import Timelines
import Venue

/// What a reader gives to its session, and what it may ask of it.
/// - Thread: the session's read thread.
public protocol SessionSink: AnyObject {
    // MARK: Permission to read

    /// The time by which the session plays.
    var now: Monotonic { get }
    /// Raised when the session is closed; blocking calls must return then.
    var stopping: StopFlag { get }
    /// Whether media of this time are presented within a second; later media are not read yet.
    func isSoon(_ time: Monotonic) -> Bool
    /// Whether sound of this media time would come too late if it had to wait longer.
    func isUrgent(_ time: Monotonic) -> Bool
    /// Whether a picture, or a unit of sound, of any size can be taken.
    var hasRoomForPictures: Bool { get }
    var hasRoomForSound: Bool { get }
    /// Whether pictures are decoded only because a later picture, which is due, refers to them.
    var isCatchingUp: Bool { get }
    /// Whether sound may start: there is a picture of its instant, or none is needed.
    var mayStartSound: Bool { get }

    // MARK: Properties of the source

    /// The streams of the source are known. Called once.
    /// - Parameter duration: nil if the source is live or the duration is not known.
    func sourceReady(duration: Nanoseconds?)
    func streamsChanged(_ streams: [StreamInfo])
    /// A stream that the box cannot play; the others go on.
    func streamUnsupported(_ what: String)
    func programsChanged(_ programs: [ListedProgram])
    func nowNextChanged(_ nowNext: NowNext)
    func timeTold(_ time: StreamTime)
    /// A timeline that the source carries is known, or is another from here on.
    func timelineTold(_ timeline: CarriedTimeline)
    /// The pictures that follow belong to another stream.
    /// - Parameter codec: nil if there are no pictures.
    func pictureStreamBegan(_ codec: Codec?)

    // MARK: Units

    /// - Parameter correlation: relates the unit's time stamps to media time.
    func pictureRead(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer)
    /// - Parameter time: nil if the unit has no time stamp and follows the one before. The sink sets the unit's epoch.
    func soundRead(_ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer)
    /// The clock of the source is better known: the pictures that were read and not presented belong so much later.
    func picturesCorrected(by span: Nanoseconds)
    /// Likewise of sound. A stream that has left its timeline is not corrected with the other.
    func soundCorrected(by span: Nanoseconds)
    /// The pictures that follow are of another timeline, whose corrections say nothing of those that were read before.
    func picturesChangeTimeline()
    /// Likewise of sound. Each stream has its last unit of the timeline before at a time of its own.
    func soundChangesTimeline()
    /// The pictures that follow do not refer to those before, so that decoding restarts at a random-access point.
    func picturesBroke()

    // MARK: Counters

    func count(_ change: (inout PlaybackCounters) -> Void)
}
