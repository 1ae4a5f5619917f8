// SPDX-License-Identifier: Apache-2.0
import Media
import Timelines

/// Where pictures go that are read: which stream they are of, and whether they can be decoded from here. A value of the
/// read thread.
struct VideoIntake {
    enum Outcome {
        case taken
        /// It cannot be decoded: no random-access point has come yet.
        case skipped
        /// There was no room for it, and nothing behind it can be decoded before the next random-access point.
        case leftOut
    }

    private let pictures: CodedPictures
    private var codec: Codec?
    private var stream = 0
    private var beginning = CodedPictures.Beginning.ofChannel
    /// A random-access point has come since the stream began or broke. The one that comes first starts decoding anew.
    private(set) var hasBegun = false

    init(_ pictures: CodedPictures) { self.pictures = pictures }

    /// There are pictures to come.
    var hasStream: Bool { codec != nil }

    /// Pictures are decoded only because a later one, which is due, refers to them.
    var isCatchingUp: Bool { beginning == .catchingUp && !pictures.isCaughtUp }

    /// What follows is of another stream.
    mutating func begin(_ codec: Codec?) {
        self.codec = codec
        stream += 1
        startAnew()
    }

    /// What follows does not refer to what was before.
    mutating func startAnew() { hasBegun = false }

    /// What waits is of no use any more.
    /// - Parameter beginning: how the first pictures of what comes are shown; nil: as it was to be.
    mutating func discard(_ beginning: CodedPictures.Beginning? = nil) {
        pictures.beginGeneration()
        if let beginning { self.beginning = beginning }
        startAnew()
    }

    /// - Parameters:
    ///   - correlation: of the unit's time stamps and media time.
    ///   - epoch: see `PlayHead.State.epoch`.
    mutating func put(
        _ unit: AccessUnit, _ correlation: StreamCorrelation, epoch: Int, _ bytes: UnsafeRawBufferPointer
    ) -> Outcome {
        guard let codec, hasBegun || unit.isRandomAccess && !unit.isDamaged else { return .skipped }
        let entry = CodedPictures.Entry(
            unit: unit, correlation: correlation, codec: codec, stream: stream, startsAnew: !hasBegun,
            generation: pictures.generation, beginning: beginning, epoch: epoch,
            point: pictures.newestPoint + (unit.isRandomAccess ? 1 : 0))
        // It is larger than any, or the decoder is so far behind that sound would have to wait for it.
        hasBegun = pictures.put(entry, bytes)
        return hasBegun ? .taken : .leftOut
    }
}
