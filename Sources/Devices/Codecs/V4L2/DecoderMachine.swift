// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Decides what a stateful decoder is told, and when (the kernel's "Memory-to-Memory Stateful Video Decoder
/// Interface"). It is a value that takes events and returns actions.
///
/// The caller performs the actions in order and passes the answer to each as the next event. If one is refused, the
/// caller drops the rest and passes the refusal.
struct DecoderMachine {
    enum Event: Equatable {
        case begun
        case codedFormatSet
        case codedBuffersMade(Int)
        /// - Parameter minimum: number of buffers that the device needs; nil if it does not report one.
        case formatNegotiated(minimum: Int?)
        case picturesMade(V4L2Buffers)
        /// The pending events were read; whether one was a source change.
        case eventsRead(hasSourceChange: Bool)
        case refused(Action, SystemCallError)
        /// The caller found a fault itself, for instance a format that we cannot draw.
        case unsuitable(DecoderFault)

        case sourceChanged
        case codedDone(V4L2Done)
        case pictureDone(V4L2Done)
        /// Dequeuing pictures failed with EPIPE.
        case picturesEnded
        case ticked

        /// Only while `freeCodedBuffer` is not nil.
        /// - Parameter isPicture: whether a picture is due for it sooner or later.
        case unitOffered(octets: Int, isPicture: Bool)
        /// Units follow after an end.
        case resumeAsked
        /// No unit follows.
        case drainAsked
        /// What was sent and has not come out is no longer wanted.
        case flushAsked
        case pictureReturned(PictureTicket)
        case closeAsked
    }

    enum Action: Hashable {
        case setCodedFormat
        case makeCoded(Int)
        /// Frees the picture buffers; those held by readers live on.
        case freePictures
        /// Asks for the format of the stream's pictures, chooses one and sets it.
        case negotiate
        case makePictures(Int, generation: Int)
        case stream(V4L2Queue, isOn: Bool)
        case queuePicture(Int)
        case queueCoded(Int, octets: Int, serial: UInt64)
        case drain
        case readEvents
        case deliver(PictureTicket, serial: UInt64, isDamaged: Bool)
        /// Always the last action.
        case shutDown
    }

    /// A picture buffer that a reader holds. A later set of buffers has another generation.
    struct PictureTicket: Hashable, Sendable {
        let index: Int
        let generation: Int
    }

    enum Owner: Hashable { case us, device, reader }

    /// How long readers may keep pictures that cannot outlive their queue.
    static let patienceWithReaders = Nanoseconds.seconds(2)
    /// Limit on set-ups and restarts without a good picture.
    static let mostChanges = 8
    /// VIDEO_MAX_FRAME is 32; newer kernels allow more.
    static let mostBuffers = 64
    /// Limit on untimed pictures in a row.
    static let mostUntimed = 16

    /// Number of coded buffers to ask for, and of picture buffers beyond the device's minimum.
    let requestedCoded: Int
    let requestedSpare: Int
    let patience: Nanoseconds
    /// Number of units that it may take without a picture; nil if units are only parts, or it does not matter.
    let mostInVain: Int?

    var phase = DecoderPhase.opening
    var fault: DecoderFault?
    var counts = DecoderCounts()
    /// Whether the device holds the coded buffer, by index.
    var coded: [Bool] = []
    var pictures: [Owner] = []
    var generation = 0
    /// Number of picture buffers that the device needs.
    var minimum = 1
    var outliveTheirQueue = false
    var picturesStream = false
    /// The drain command follows as soon as it is allowed.
    var wantsEnd = false
    /// A source change came in a state that cannot act on it yet.
    var hasChangeWaiting = false
    var progress = Monotonic(nanoseconds: 0)
    /// Serial of the next unit, and of the first since the last flush. No unit has serial 0.
    var nextSerial: UInt64 = 1
    var firstSerial: UInt64 = 1
    var changesInVain = 0
    /// Number of units since the last picture for which one is due, and when the first of them was offered.
    var unitsInVain = 0
    var inVainSince = Monotonic(nanoseconds: 0)
    private var untimedInARow = 0

    init(
        requestedCoded: Int, requestedSpare: Int, patience: Nanoseconds = HardwareDecoder.patience,
        mostInVain: Int? = nil
    ) {
        precondition((1...32).contains(requestedCoded) && (0...31).contains(requestedSpare))
        self.mostInVain = mostInVain
        self.requestedCoded = requestedCoded
        self.requestedSpare = requestedSpare
        self.patience = patience
    }

    // MARK: Queries

    /// Index of the coded buffer for the next unit; nil if none can be taken now.
    var freeCodedBuffer: Int? {
        switch phase {
        case .awaitingHeader, .decoding, .changing: wantsEnd ? nil : coded.firstIndex(of: false)
        default: nil
        }
    }

    /// Whether the device may have pictures for us, or their end.
    var mayDequeuePictures: Bool { picturesStream && [.decoding, .changing, .draining].contains(phase) }
    var mayDequeueCoded: Bool { coded.contains(true) }
    var isOver: Bool { phase == .failed || phase == .closed }

    /// When `ticked` is due; nil if the device owes nothing.
    var deadline: Monotonic? {
        guard eatsInVain, let silence else { return eatsInVain ? inVainSince + patience : silence }
        return min(silence, inVainSince + patience)
    }

    /// When the device is given up if nothing happens; nil if it owes nothing.
    private var silence: Monotonic? {
        switch phase {
        case .awaitingHeader: wantsEnd || coded.contains(true) ? progress + patience : nil
        case .decoding: coded.contains(true) && !isStarved ? progress + patience : nil
        case .changing, .draining: isStarved ? nil : progress + patience
        case .awaitingReturns: progress + Self.patienceWithReaders
        default: nil
        }
    }

    /// Whether readers keep so many pictures that the device cannot be blamed.
    var isStarved: Bool {
        let owned = pictures.count { $0 == .device }
        return owned < min(minimum, pictures.count) && pictures.contains(.reader)
    }

    // MARK: Events

    mutating func handle(_ event: Event, now: Monotonic) -> [Action] {
        guard !isOver else { return [] }
        switch event {
        case .begun: return phase == .opening ? [.setCodedFormat] : []
        case .codedFormatSet: return [.makeCoded(requestedCoded)]
        case .codedBuffersMade(let count): return codedBuffersMade(count)
        case .formatNegotiated(let minimum): return formatNegotiated(minimum)
        case .picturesMade(let buffers): return picturesMade(buffers, now)
        case .eventsRead(let hasSourceChange): return eventsRead(hasSourceChange, now)
        case .refused(let action, let error): return refused(action, error)
        case .unsuitable(let fault): return fail(fault)
        case .sourceChanged: return sourceChanged(now)
        case .codedDone(let done): return codedDone(done, now)
        case .pictureDone(let done): return pictureDone(done, now)
        case .picturesEnded: return lastCame(now)
        case .ticked: return ticked(now)
        case .unitOffered(let octets, let isPicture): return unitOffered(octets, isPicture, now)
        case .resumeAsked: return resumeAsked(now)
        case .drainAsked: return drainAsked(now)
        case .flushAsked: return flushAsked(now)
        case .pictureReturned(let ticket): return pictureReturned(ticket, now)
        case .closeAsked:
            phase = .closed
            return [.shutDown]
        }
    }

    mutating func fail(_ fault: DecoderFault) -> [Action] {
        phase = .failed
        self.fault = fault
        return [.shutDown]
    }

    private mutating func ticked(_ now: Monotonic) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        guard let silence, now >= silence else { return fail(.fruitless(units: unitsInVain)) }
        switch phase {
        case .awaitingHeader where wantsEnd:
            counts.headerless += 1
            (phase, wantsEnd) = (.drained, false)
            // A device may keep undecodable units for ever, and they must not become the start of the next header.
            for index in coded.indices { coded[index] = false }
            return [.stream(.coded, isOn: false), .stream(.coded, isOn: true)]
        case .awaitingReturns: return fail(.picturesKept(pictures.count { $0 == .reader }))
        default: return fail(.wedged(phase))
        }
    }

    private mutating func codedDone(_ done: V4L2Done, _ now: Monotonic) -> [Action] {
        guard coded.indices.contains(done.index), coded[done.index] else {
            return fail(.nonsense("coded buffer \(done.index) is done"))
        }
        coded[done.index] = false
        progress = now
        return []
    }

    /// As in "Decoding", a picture may be damaged or of a unit before a flush. The last one may be empty; then only its
    /// flag counts.
    private mutating func pictureDone(_ done: V4L2Done, _ now: Monotonic) -> [Action] {
        guard pictures.indices.contains(done.index), pictures[done.index] == .device else {
            return fail(.nonsense("picture buffer \(done.index) is done"))
        }
        pictures[done.index] = .us
        progress = now
        var actions: [Action] = []
        if done.isDamaged { counts.damaged += 1 }
        if done.octets > 0, isTimely(done.serial) {
            if !done.isDamaged { changesInVain = 0 }
            // The units that the device has not taken yet remain due.
            (unitsInVain, inVainSince) = (coded.count(where: \.self), now)
            counts.pictures += 1
            pictures[done.index] = .reader
            actions.append(
                .deliver(
                    PictureTicket(index: done.index, generation: generation), serial: done.serial,
                    isDamaged: done.isDamaged))
        } else if untimedInARow >= Self.mostUntimed {
            return fail(.untimed(pictures: untimedInARow))
        } else if !done.isLast, picturesStream {
            pictures[done.index] = .device
            actions.append(.queuePicture(done.index))
        }
        return done.isLast ? actions + lastCame(now) : actions
    }

    private mutating func isTimely(_ serial: UInt64) -> Bool {
        guard serial > 0, serial < nextSerial else {
            counts.untimed += 1
            untimedInARow += 1
            return false
        }
        untimedInARow = 0
        guard serial >= firstSerial else {
            counts.stale += 1
            return false
        }
        return true
    }

    /// The device gives no more pictures for now: because it was drained, because the stream changed, or for an unknown
    /// reason ("Drain", "Dynamic Resolution Change").
    private mutating func lastCame(_ now: Monotonic) -> [Action] {
        switch phase {
        case .changing: return beginSetUp(now)
        case .draining:
            guard !eatsInVain else { return fail(.fruitless(units: unitsInVain)) }
            (phase, wantsEnd) = (.drained, false)
            return []
        case .decoding:
            counts.restarts += 1
            guard !changedInVain() else { return fail(.restless(changes: changesInVain)) }
            progress = now
            return restartPictures()
        default: return []
        }
    }

    mutating func changedInVain() -> Bool {
        changesInVain += 1
        return changesInVain > Self.mostChanges
    }
}
