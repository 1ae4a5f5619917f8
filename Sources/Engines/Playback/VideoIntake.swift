// SPDX-License-Identifier: Apache-2.0
import Media
import Time
import Timelines

/// Passes pictures that were read to the decoder. Knows their stream, and whether they can be decoded from here.
/// - Thread: the read thread.
struct VideoIntake {
    enum Outcome {
        case taken
        /// The unit cannot be decoded, because no random-access point has come yet.
        case skipped
        /// There was no room for the unit, and nothing behind it can be decoded before the next random-access point.
        case leftOut
    }

    private let pictures: CodedPictures
    private var codec: Codec?
    private var stream = 0
    private var beginning = CodedPictures.Beginning.ofChannel
    /// Whether a unit has come since the stream began or broke with which decoding begins. It restarts decoding.
    private(set) var hasBegun = false
    private var gate = EntryGate()

    init(_ pictures: CodedPictures) { self.pictures = pictures }

    /// Whether the source has pictures.
    var hasStream: Bool { codec != nil }

    /// Whether pictures are decoded only because a later picture, which is due, refers to them.
    var isCatchingUp: Bool { beginning == .catchingUp && !pictures.isCaughtUp }

    /// Whether what is read is the beginning of a channel, and none of its pictures has been decoded.
    var awaitsFirstPicture: Bool { beginning == .ofChannel && !pictures.hasPlacedFirst }

    /// What follows belongs to another stream.
    mutating func begin(_ codec: Codec?) {
        self.codec = codec
        stream += 1
        startAnew()
    }

    /// What follows does not refer to earlier units.
    mutating func startAnew() {
        hasBegun = false
        gate.reset()
    }

    /// Discards the coded pictures that wait.
    /// - Parameter beginning: how the first pictures that follow are shown; nil keeps what was set.
    mutating func discard(_ beginning: CodedPictures.Beginning? = nil) {
        pictures.beginGeneration()
        if let beginning { self.beginning = beginning }
        startAnew()
    }

    /// - Parameters:
    ///   - correlation: relates the unit's time stamps to media time.
    ///   - epoch: see `PlaybackClock.State.epoch`.
    mutating func put(
        _ unit: AccessUnit, _ correlation: StreamCorrelation, epoch: Int, at now: Monotonic,
        _ bytes: UnsafeRawBufferPointer
    ) -> Outcome {
        guard let codec, hasBegun || gate.entry(with: unit, at: now) != nil else { return .skipped }
        let entry = CodedPictures.Entry(
            unit: unit, correlation: correlation, codec: codec, stream: stream, startsAnew: !hasBegun,
            generation: pictures.generation, beginning: beginning, epoch: epoch,
            point: pictures.newestPoint + (unit.isRandomAccess ? 1 : 0))
        // It fails if the unit is too large, or if the decoder is so far behind that sound would have to wait.
        guard pictures.put(entry, bytes) else {
            startAnew()
            return .leftOut
        }
        hasBegun = true
        return .taken
    }
}
