// SPDX-License-Identifier: Apache-2.0
import Media
import Timelines

/// Where a reader puts pictures: the stream they are of, and whether they can be decoded from here. The read thread's own.
final class VideoIntake {
    private unowned let loop: ReadLoop
    private let pictures: CodedPictures
    private var codec: Codec?
    private var stream = 0
    private var startsAnew = true
    private var beginning = CodedPictures.Beginning.ofChannel
    /// A random-access point has come since the stream began or broke.
    private(set) var hasBegun = false

    init(_ loop: ReadLoop, _ pictures: CodedPictures) {
        self.loop = loop
        self.pictures = pictures
    }

    /// Whether there are pictures to come.
    var hasStream: Bool { codec != nil }

    var hasRoom: Bool { pictures.hasRoom }

    /// Pictures are decoded only because a later one, that is due, refers to them.
    var isCatchingUp: Bool { beginning == .catchingUp && !pictures.isCaughtUp }

    /// Another stream: what follows is its.
    func begin(_ codec: Codec?) {
        self.codec = codec
        stream += 1
        startAnew()
        loop.expectPictures()
    }

    /// What follows does not refer to what was before: begin again at a random-access point.
    func startAnew() {
        startsAnew = true
        hasBegun = false
    }

    /// What waits is of no use any more.
    /// - Parameter beginning: of what comes; nil: as it was to be.
    func discard(_ beginning: CodedPictures.Beginning? = nil) {
        pictures.beginGeneration()
        if let beginning { self.beginning = beginning }
        startAnew()
    }

    /// - Parameter correlation: of the unit's time stamps and media time.
    func unitReceived(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer) {
        guard loop.isVisible, let codec else { return }
        if unit.isDamaged { loop.counters.damagedVideoUnits += 1 }
        guard hasBegun || unit.isRandomAccess && !unit.isDamaged else {
            loop.counters.unitsSkipped += 1
            return
        }
        hasBegun = true
        let entry = CodedPictures.Entry(
            unit: unit, correlation: correlation, codec: codec, stream: stream, startsAnew: startsAnew,
            generation: pictures.generation, beginning: beginning, epoch: loop.control.state.epoch,
            point: pictures.newestPoint + (unit.isRandomAccess ? 1 : 0))
        startsAnew = false
        // It is larger than any, or the decoder is so far behind that sound would have to wait for it.
        if !pictures.put(entry, bytes) {
            loop.counters.unitsLeftOut += 1
            startAnew()
        }
    }
}
