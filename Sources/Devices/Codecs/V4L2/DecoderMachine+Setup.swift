// SPDX-License-Identifier: Apache-2.0
import System
import Time

extension DecoderMachine {
    mutating func codedBuffersMade(_ count: Int) -> [Action] {
        guard phase == .opening else { return [] }
        guard (1...Self.mostBuffers).contains(count) else { return fail(.nonsense("\(count) coded buffers")) }
        counts.buffersMissing += max(0, requestedCoded - count)
        coded = Array(repeating: false, count: count)
        phase = .awaitingHeader
        return [.stream(.coded, isOn: true)]
    }

    mutating func sourceChanged(_ now: Monotonic) -> [Action] {
        switch phase {
        case .awaitingHeader: return beginSetUp(now)
        case .decoding, .draining:
            // Pictures from before the change come out first; the last buffer marks their end.
            (phase, progress) = (.changing, now)
            return []
        case .settingUp:
            hasChangeWaiting = true
            return []
        case .drained:
            // A late signal: there is no last buffer to wait for. The announced pictures come out before the end does.
            wantsEnd = true
            return beginSetUp(now)
        default: return []
        }
    }

    /// Does "Capture Setup", at the first header and at each later one. The format is negotiated again in any case.
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

    /// While the queue does not stream, the device holds no buffers.
    private mutating func takePicturesBack() {
        for index in pictures.indices where pictures[index] == .device { pictures[index] = .us }
    }

    mutating func formatNegotiated(_ minimum: Int?) -> [Action] {
        guard phase == .settingUp else { return [] }
        guard (0...Self.mostBuffers / 2).contains(minimum ?? 0) else {
            return fail(.nonsense("at least \(minimum ?? 0) buffers"))
        }
        self.minimum = max(1, minimum ?? 0)
        return makePictures(self.minimum + requestedSpare)
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
        counts.buffersMissing += max(0, minimum + requestedSpare - buffers.count)
        outliveTheirQueue = buffers.outliveTheirQueue
        pictures = Array(repeating: .us, count: buffers.count)
        (progress, inVainSince) = (now, now)
        return restartPictures()
    }

    /// Restarts the picture queue with all buffers that are here and continues in the previous state. "Drain" and
    /// "Seek" allow this instead of START, which some drivers accept and do not obey.
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
        // Only after both queues stream; before, it would be accepted without effect ("Drain").
        if phase == .draining { actions.append(.drain) }
        return actions
    }

    mutating func pictureReturned(_ ticket: PictureTicket, _ now: Monotonic) -> [Action] {
        guard ticket.generation == generation, pictures.indices.contains(ticket.index),
            pictures[ticket.index] == .reader
        else { return [] }
        // The device owes nothing for the time in which it had too few buffers.
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
        // The device is already draining.
        case (.drain, _) where error.code == .busy: return []
        default: return fail(fault)
        }
    }
}
