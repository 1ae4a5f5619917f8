// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import Mixing
import Playback
import Presentation
import Reception
import Settings
import Time
import Venue

/// Evidence of sessions, screen and sound.
extension Diagnosis {
    func evidence(_ machine: Evidence.Machine, at now: Monotonic) -> Evidence {
        let (before, look) = (counts.oldest, count(at: now))
        var evidence = Evidence()
        evidence.machine = machine
        evidence.network = network(since: before)
        evidence.announcements = announcements(at: now)
        evidence.licence = licence
        evidence.sessions = regions.all.filter(\.isVisible).compactMap { session(in: $0, look) }
        evidence.display = display(look, before)
        evidence.sound = sound(look, before)
        return evidence
    }

    /// nil if nothing was asked to play there.
    private func session(in region: RegionPlayer, _ look: CountHistory.Look) -> Evidence.Session? {
        if let failure = failures.failure(in: region.name) {
            var failed = Evidence.Session(failure.name)
            failed.failure = failure.why
            return failed
        }
        guard let current = region.player.current else { return nil }
        var session = Evidence.Session(current.name)
        session.address = current.source.channel.map { "\($0.transport.address):\($0.transport.port)" }
        session.age = max(.zero, look.time - current.opened).seconds
        session.isRunning = !current.isPaused && !current.hasEnded
        session.lacksPicture = current.lacksPicture
        session.absence = health.snapshot.absences[current.id]
        session.hasPictures = !current.isSoundAlone
        if !current.streams.contains(where: { $0.isVideo && $0.isPlayed }), current.streams.contains(where: \.isVideo),
            !current.unsupported.isEmpty
        {
            session.unplayedVideo = current.unsupported.sorted().joined(separator: ", ")
        }
        if let conflict = sources.conflict(current.id) {
            session.senders = "\(conflict.played), which is played, and \(conflict.other)"
        }
        session.oddities = current.streams.compactMap(\.oddity)
        session.hasSound = current.streams.contains { $0.isPlayed && !$0.isVideo }
        guard let now = look.sessions[current.id], let (time, before) = counts.oldest(of: current.id) else {
            return session
        }
        session.span = (look.time - time).seconds
        guard session.span > 0 else { return session }
        session.reception = reception(now.reception, before.reception, current.source.channel)
        if let now = now.reception, let before = before.reception { session.oddities += now.oddities(since: before) }
        session.decoding = decoding(now, before)
        return session
    }

    private func reception(
        _ now: ReceptionCounters?, _ before: ReceptionCounters?, _ channel: Channel?
    ) -> Evidence.Session.Reception? {
        guard let now, let before, let channel else { return nil }
        func more(_ count: KeyPath<ReceptionCounters, Int64>) -> Int64 {
            max(0, now[keyPath: count] - before[keyPath: count])
        }
        var reception = Evidence.Session.Reception()
        reception.datagrams = max(0, more(\.datagrams) - more(\.repairDatagrams) - more(\.duplicatePackets))
        let encapsulation = channel.transport.encapsulation
        reception.lost = max(0, now.losses(in: encapsulation) - before.losses(in: encapsulation))
        reception.lostBeforeRepair = max(reception.lost, now.isBare(encapsulation) ? 0 : more(\.lostBeforeRepair))
        reception.lostToKernel = more(\.lostToKernel)
        reception.peakJitter = now.clockPeakJitterUs
        reception.repair =
            switch channel.transport.repair {
            case .windows?: .windows
            case .parity?: .parity
            case nil: now.repairOrigin > 0 ? .parity : .none
            }
        return reception
    }

    private func decoding(_ now: CountHistory.Session, _ before: CountHistory.Session) -> Evidence.Session.Decoding? {
        guard let playback = now.playback, let earlier = before.playback else { return nil }
        func more(_ count: KeyPath<PlaybackCounters, Int64>) -> Int64 {
            max(0, playback[keyPath: count] - earlier[keyPath: count])
        }
        var decoding = Evidence.Session.Decoding()
        decoding.units = max(0, more(\.videoUnits) - more(\.unitsSkipped))
        decoding.pictures = more(\.framesDecoded)
        decoding.errors = more(\.decodeErrors)
        decoding.restarts = more(\.decoderRestarts)
        decoding.tier = playback.decoderTier
        decoding.ladderStep = playback.ladderStep
        decoding.shown = max(0, now.region.picturesPresented - before.region.picturesPresented)
        decoding.late = max(0, now.region.picturesLate - before.region.picturesLate)
        return decoding
    }

    private func display(_ look: CountHistory.Look, _ before: CountHistory.Look?) -> Evidence.Display {
        var display = Evidence.Display()
        display.isWanted = settings.output.kind == .kms
        display.wanted = settings.output.connector
        display.problem = outputProblem
        guard let screen = sources.screen() else { return display }
        (display.connector, display.mode, display.screen) = (screen.connector, screen.mode, screen.display)
        display.planeRefusal = screen.planeRefusal
        if let now = look.screen, let before = before?.screen {
            display.flips = max(0, now.flips - before.flips)
            display.refusedCommits = max(0, now.commitsRefused - before.commitsRefused)
            display.lostFlips = max(0, now.flipsLost - before.flipsLost)
        }
        return display
    }

    private func sound(_ look: CountHistory.Look, _ before: CountHistory.Look?) -> Evidence.Sound {
        var sound = Evidence.Sound()
        sound.isWanted = settings.sound.output != .null
        let now = look.mixer
        sound.device = now.isWithoutOutput == 0 && !now.device.isEmpty ? now.device : nil
        sound.problem = sources.soundProblem()
        let audible = regions.all.map { sounds.heard(in: $0.name) }.filter { !$0.isMuted }
        sound.isMuted = sounds.mix.isMuted || audible.isEmpty
        sound.level = min(sounds.mix.level, audible.map(\.level).max() ?? 0)
        guard let before = before?.mixer else { return sound }
        sound.underruns = max(0, now.underruns - before.underruns)
        sound.decoded = max(0, now.unitsDecoded - before.unitsDecoded)
        sound.decodeErrors = max(0, now.decodeErrors - before.decodeErrors)
        return sound
    }
}
