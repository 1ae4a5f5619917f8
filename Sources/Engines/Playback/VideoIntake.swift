// SPDX-License-Identifier: Apache-2.0
import Media
import Time
import Timelines
import TransportStream

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

    private var pictures: CodedPictures
    private var codec: Codec?
    private var stream = 0
    private var beginning = CodedPictures.Beginning.ofChannel
    /// Whether a unit has come since the stream began or broke with which decoding begins. It restarts decoding.
    private(set) var hasBegun = false
    private var gate = EntryGate()
    /// The decoder does not see units that are skipped, and may need theirs.
    private var sent = SentParameterSets()

    init(_ pictures: CodedPictures) { self.pictures = pictures }

    /// Whether the source has pictures.
    var hasStream: Bool { codec != nil }

    /// Whether pictures are decoded only because a later picture, which is due, refers to them.
    var isCatchingUp: Bool { beginning == .catchingUp && !pictures.isCaughtUp }

    /// Whether what is read is the beginning of a channel, and none of its pictures has been decoded.
    var awaitsFirstPicture: Bool { beginning == .ofChannel && !pictures.hasPlacedFirst }

    /// Another decode thread takes what follows.
    mutating func move(to pictures: CodedPictures) { self.pictures = pictures }

    /// What follows belongs to another stream.
    mutating func begin(_ codec: Codec?) {
        self.codec = codec
        stream += 1
        sent.forget()
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
        guard let codec else { return .skipped }
        if unit.bringsParameterSets { sent.keep(codec, of: bytes) }
        guard hasBegun || gate.entry(with: unit, at: now) != nil else { return .skipped }
        guard !hasBegun, !unit.bringsParameterSets else { return put(unit, codec, correlation, epoch, bytes) }
        var whole = unit
        whole.bringsParameterSets = true
        return sent.before(bytes).withUnsafeBytes { put(whole, codec, correlation, epoch, $0) }
    }

    private mutating func put(
        _ unit: AccessUnit, _ codec: Codec, _ correlation: StreamCorrelation, _ epoch: Int,
        _ bytes: UnsafeRawBufferPointer
    ) -> Outcome {
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
