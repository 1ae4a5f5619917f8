// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time
import Timelines
import Venue

/// What a reader gives to the session that it reads for, and all that it may ask of it.
/// - Thread: the session's read thread.
public protocol SessionSink: AnyObject {
    // MARK: What may be read now

    /// Raised when the session is closed: what waits has to stop waiting.
    var stopping: StopFlag { get }
    /// Whether what has this media time is presented within a second: nothing later is read.
    func isSoon(_ time: Monotonic) -> Bool
    /// Whether sound of this media time would come too late if it had to wait any longer.
    func isUrgent(_ time: Monotonic) -> Bool
    /// Any picture, and any unit of sound, can be taken.
    var hasRoomForPictures: Bool { get }
    var hasRoomForSound: Bool { get }
    /// Pictures are decoded only because a later one, which is due, refers to them.
    var isCatchingUp: Bool { get }
    /// Sound has a picture to go with, or needs none: it would be of another instant than what is seen otherwise.
    var mayStartSound: Bool { get }

    // MARK: What the source has

    /// What the source plays is known. Said once.
    /// - Parameter duration: nil of a live source, or while it is not known.
    func sourceReady(duration: Nanoseconds?)
    func streamsChanged(_ streams: [StreamInfo])
    /// A stream that this box cannot play; the others go on.
    func streamUnsupported(_ what: String)
    func nowNextChanged(_ nowNext: NowNext)
    /// The pictures that follow are of another stream.
    /// - Parameter codec: nil when there are none.
    func pictureStreamBegan(_ codec: Codec?)

    // MARK: Units

    /// - Parameter correlation: of the unit's time stamps and media time.
    func pictureRead(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer)
    /// - Parameter time: nil when the unit has no time stamp and follows the one before. Its epoch is the sink's to set.
    func soundRead(_ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer)
    /// The pictures that follow do not refer to those before: decoding begins again at a random-access point.
    func picturesBroke()
    /// Nobody can say when that which follows should have been presented: it is due when it comes.
    func sourceJumped()

    // MARK: Counters

    func count(_ change: (inout PlaybackCounters) -> Void)
}
