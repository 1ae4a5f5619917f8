// SPDX-License-Identifier: Apache-2.0
import Media
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
    /// Whether a random-access point has come since the stream began or broke. The first one restarts decoding.
    private(set) var hasBegun = false

    init(_ pictures: CodedPictures) { self.pictures = pictures }

    /// Whether the source has pictures.
    var hasStream: Bool { codec != nil }

    /// Whether pictures are decoded only because a later picture, which is due, refers to them.
    var isCatchingUp: Bool { beginning == .catchingUp && !pictures.isCaughtUp }

    /// What follows belongs to another stream.
    mutating func begin(_ codec: Codec?) {
        self.codec = codec
        stream += 1
        startAnew()
    }

    /// What follows does not refer to earlier units.
    mutating func startAnew() { hasBegun = false }

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
        _ unit: AccessUnit, _ correlation: StreamCorrelation, epoch: Int, _ bytes: UnsafeRawBufferPointer
    ) -> Outcome {
        guard let codec, hasBegun || unit.isRandomAccess && !unit.isDamaged else { return .skipped }
        let entry = CodedPictures.Entry(
            unit: unit, correlation: correlation, codec: codec, stream: stream, startsAnew: !hasBegun,
            generation: pictures.generation, beginning: beginning, epoch: epoch,
            point: pictures.newestPoint + (unit.isRandomAccess ? 1 : 0))
        // It fails if the unit is too large, or if the decoder is so far behind that sound would have to wait.
        hasBegun = pictures.put(entry, bytes)
        return hasBegun ? .taken : .leftOut
    }
}
