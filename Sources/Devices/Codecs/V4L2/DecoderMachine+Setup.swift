// SPDX-License-Identifier: Apache-2.0
import System
import Time

extension DecoderMachine {
    mutating func codedBuffersMade(_ count: Int) -> [Action] {
        guard phase == .opening else { return [] }
        guard (1...Self.mostBuffers).contains(count) else { return fail(.nonsense("\(count) coded buffers")) }
        counts.buffersMissing += max(0, codedWish - count)
        coded = Array(repeating: false, count: count)
        phase = .awaitingHeader
        return [.stream(.coded, isOn: true)]
    }

    mutating func sourceChanged(_ now: Monotonic) -> [Action] {
        switch phase {
        case .awaitingHeader: return beginSetUp(now)
        case .decoding, .draining:
            // What is before the change comes out first; its last buffer says so.
            (phase, progress) = (.changing, now)
            return []
        case .settingUp:
            hasChangeWaiting = true
            return []
        case .drained:
            // Late: there is no last buffer to wait for, and what it tells of comes out before the end does.
            wantsEnd = true
            return beginSetUp(now)
        default: return []
        }
    }

    /// "Capture Setup", at the first header as at each later one: the format is asked for anew, whatever it was.
    mutating func beginSetUp(_ now: Monotonic) -> [Action] {
        progress = now
        hasChangeWaiting = false
        var actions: [Action] = []
        if picturesStream { actions.append(.stream(.pictures, isOn: false)) }
        picturesStream = false
        takePicturesBack()
        guard !pictures.contains(.reader) || outliveTheirQueue else {
            phase = .awaitingReturns
            return actions
        }
        counts.setUps += 1
        guard !changedInVain() else { return fail(.restless(changes: Self.mostChanges)) }
        phase = .settingUp
        if !pictures.isEmpty { actions.append(.freePictures) }
        pictures = []
        return actions + [.negotiate]
    }

    /// Not streaming, the device has none.
    private mutating func takePicturesBack() {
        for index in pictures.indices where pictures[index] == .device { pictures[index] = .us }
    }

    mutating func formatNegotiated(_ minimum: Int?) -> [Action] {
        guard phase == .settingUp else { return [] }
        guard (0...Self.mostBuffers / 2).contains(minimum ?? 0) else {
            return fail(.nonsense("at least \(minimum ?? 0) buffers"))
        }
        self.minimum = max(1, minimum ?? 0)
        return makePictures(self.minimum + spareWish)
    }

    private mutating func makePictures(_ count: Int) -> [Action] {
        generation += 1
        return [.makePictures(count, generation: generation)]
    }

    mutating func picturesMade(_ buffers: V4L2Buffers, _ now: Monotonic) -> [Action] {
        guard phase == .settingUp, pictures.isEmpty else { return [] }
        guard (1...Self.mostBuffers).contains(buffers.count) else {
            return fail(.nonsense("\(buffers.count) picture buffers"))
        }
        guard buffers.count >= minimum else { return fail(.outOfMemory) }
        counts.buffersMissing += max(0, minimum + spareWish - buffers.count)
        outliveTheirQueue = buffers.outliveTheirQueue
        pictures = Array(repeating: .us, count: buffers.count)
        (progress, inVainSince) = (now, now)
        return restartPictures()
    }

    /// Streams the pictures anew, all that are here, and goes on where it was: "Drain" and "Seek" allow it as they allow
    /// START, which some drivers take and do not obey.
    mutating func restartPictures() -> [Action] {
        var actions: [Action] = []
        if picturesStream { actions.append(.stream(.pictures, isOn: false)) }
        takePicturesBack()
        for index in pictures.indices where pictures[index] == .us {
            pictures[index] = .device
            actions.append(.queuePicture(index))
        }
        actions.append(.stream(.pictures, isOn: true))
        picturesStream = true
        phase = hasChangeWaiting ? .changing : wantsEnd ? .draining : .decoding
        hasChangeWaiting = false
        // Not before both stream: else it would be taken and mean nothing ("Drain").
        if phase == .draining { actions.append(.drain) }
        return actions
    }

    mutating func pictureReturned(_ ticket: PictureTicket, _ now: Monotonic) -> [Action] {
        guard ticket.generation == generation, pictures.indices.contains(ticket.index),
            pictures[ticket.index] == .reader
        else { return [] }
        // The device is owed nothing for the time in which it had too few.
        if isStarved { (progress, inVainSince) = (now, now) }
        pictures[ticket.index] = .us
        if phase == .awaitingReturns { return pictures.contains(.reader) ? [] : beginSetUp(now) }
        guard mayDequeuePictures else { return [] }
        pictures[ticket.index] = .device
        return [.queuePicture(ticket.index)]
    }

    mutating func refused(_ action: Action, _ error: SystemCallError) -> [Action] {
        let fault = DecoderFault(error)
        switch (action, fault) {
        case (.makeCoded(let count), .outOfMemory) where count > 1: return [.makeCoded(count - 1)]
        case (.makePictures(let count, _), .outOfMemory) where phase == .settingUp && count > minimum:
            return makePictures(count - 1)
        case (.stream(.pictures, true), .outOfMemory)
        where pictures.count > minimum && !pictures.contains(.reader):
            let fewer = pictures.count - 1
            (pictures, picturesStream, phase) = ([], false, .settingUp)
            return [.stream(.pictures, isOn: false), .freePictures] + makePictures(fewer)
        // It is at it already.
        case (.drain, _) where error.code == .busy: return []
        default: return fail(fault)
        }
    }
}
