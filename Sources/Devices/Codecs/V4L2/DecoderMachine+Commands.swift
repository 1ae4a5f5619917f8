// SPDX-License-Identifier: Apache-2.0
import Time

extension DecoderMachine {
    mutating func unitOffered(_ octets: Int, _ isPicture: Bool, _ now: Monotonic) -> [Action] {
        guard let index = freeCodedBuffer else { return [] }
        if !coded.contains(true) {
            // After a pause the device owes nothing for the time before.
            if now >= progress + patience { inVainSince = now }
            progress = now
        }
        if unitsInVain == 0 { inVainSince = now }
        if isPicture { unitsInVain += 1 }
        coded[index] = true
        nextSerial += 1
        return [.queueCoded(index, octets: octets, serial: nextSerial - 1)]
    }

    /// Whether the device takes more units than any stream holds back and gives no picture.
    var eatsInVain: Bool {
        guard let mostInVain, unitsInVain > mostInVain, !isStarved else { return false }
        switch phase {
        case .awaitingHeader, .decoding, .changing, .draining:
            return unitsInVain - coded.count(where: \.self) > mostInVain
        default: return false
        }
    }

    /// Resumes after an end as for a seek. V4L2_DEC_CMD_START would do ("Drain", its last step), but a device may hold
    /// part of an incomplete unit and take what follows for the rest of it.
    mutating func resumeAsked(_ now: Monotonic) -> [Action] {
        guard phase == .drained else { return [] }
        progress = now
        return streamBothAnew()
    }

    mutating func drainAsked(_ now: Monotonic) -> [Action] {
        guard !wantsEnd else { return [] }
        switch phase {
        case .awaitingHeader where nextSerial == firstSerial:
            phase = .drained
            return []
        case .awaitingHeader, .changing, .awaitingReturns, .settingUp:
            wantsEnd = true
            if phase == .awaitingHeader { progress = now }
            return []
        case .decoding:
            (phase, wantsEnd, progress) = (.draining, true, now)
            return [.drain]
        default: return []
        }
    }

    /// Does as "Seek" says, with both queues, so that pictures that are done but not dequeued are dropped too.
    mutating func flushAsked(_ now: Monotonic) -> [Action] {
        guard ![.opening, .settingUp, .flushing].contains(phase) else { return [] }
        counts.flushes += 1
        hasChangeWaiting = hasChangeWaiting || phase == .changing || phase == .awaitingReturns
        changesInVain = 0
        return streamBothAnew()
    }

    private mutating func streamBothAnew() -> [Action] {
        phase = .flushing
        wantsEnd = false
        unitsInVain = 0
        firstSerial = nextSerial
        for index in coded.indices { coded[index] = false }
        var actions: [Action] = []
        if picturesStream { actions.append(.stream(.pictures, isOn: false)) }
        for index in pictures.indices where pictures[index] == .device { pictures[index] = .us }
        picturesStream = false
        // A source change that was signalled before this no longer has a last buffer after it.
        return actions + [.stream(.coded, isOn: false), .readEvents]
    }

    mutating func eventsRead(_ hasSourceChange: Bool, _ now: Monotonic) -> [Action] {
        guard phase == .flushing else { return [] }
        progress = now
        let start = Action.stream(.coded, isOn: true)
        // The pending format is the new one; the device need not signal it again.
        if hasSourceChange || hasChangeWaiting { return [start] + beginSetUp(now) }
        guard !pictures.isEmpty else {
            phase = .awaitingHeader
            return [start]
        }
        return [start] + restartPictures()
    }
}
