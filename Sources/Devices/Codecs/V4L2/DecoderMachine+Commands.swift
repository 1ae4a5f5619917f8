// SPDX-License-Identifier: Apache-2.0
import Time

extension DecoderMachine {
    mutating func unitOffered(_ octets: Int, _ isPicture: Bool, _ now: Monotonic) -> [Action] {
        guard let index = freeCodedBuffer else { return [] }
        if !coded.contains(true) {
            // Behind a pause it owes nothing of the time before.
            if now >= progress + patience { inVainSince = now }
            progress = now
        }
        if unitsInVain == 0 { inVainSince = now }
        if isPicture { unitsInVain += 1 }
        coded[index] = true
        nextSerial += 1
        return [.queueCoded(index, octets: octets, serial: nextSerial - 1)]
    }

    /// The device takes unit after unit, more than any stream holds back, and makes nothing of them.
    var eatsInVain: Bool {
        guard let mostInVain, unitsInVain > mostInVain, !isStarved else { return false }
        switch phase {
        case .awaitingHeader, .decoding, .changing, .draining:
            return unitsInVain - coded.count(where: \.self) > mostInVain
        default: return false
        }
    }

    /// Behind an end, as for a seek: START would do ("Drain", its last step), but a device may have put by a part of a
    /// unit that never came whole, and take what follows for its rest.
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

    /// "Seek", with both queues: pictures that are done but not dequeued go as well.
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
        // A change that the device told before it heard of this has no last buffer behind it any more.
        return actions + [.stream(.coded, isOn: false), .readEvents]
    }

    mutating func eventsRead(_ hasSourceChange: Bool, _ now: Monotonic) -> [Action] {
        guard phase == .flushing else { return [] }
        progress = now
        let start = Action.stream(.coded, isOn: true)
        // Its format is the one to come, and it need not tell again.
        if hasSourceChange || hasChangeWaiting { return [start] + beginSetUp(now) }
        guard !pictures.isEmpty else {
            phase = .awaitingHeader
            return [start]
        }
        return [start] + restartPictures()
    }
}
