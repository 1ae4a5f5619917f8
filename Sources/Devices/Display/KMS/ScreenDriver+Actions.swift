// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// Performs the actions of `ScreenMachine` on the card. Each returns its outcome as the next input.
extension ScreenDriver {
    /// Performs an action. A failure is kept as a fault; it counts as the card's if the card is gone.
    private func outcome(
        _ action: (any KMSDevice) throws(DisplayError) -> ScreenMachine.Input
    ) -> ScreenMachine.Input {
        guard let device = commits.device else { return .cardLost }
        do throws(DisplayError) {
            return try action(device)
        } catch {
            faults.pending = error
            guard error.isOfLostCard else { return .refused }
            forget()
            return .cardLost
        }
    }

    // MARK: Modesets

    func tested(_ pipeline: DisplayPipeline) -> ScreenMachine.Input {
        let before = faults.pending
        let input = outcome { device throws(DisplayError) -> ScreenMachine.Input in
            try self.test(pipeline, blob: PropertyBlob(pipeline.timing.octets, on: device), on: device)
            return .accepted
        }
        // A refused test is expected and not a fault.
        if input.isRefused { faults.pending = before }
        return input
    }

    /// The blob lives until the call returns.
    private func test(
        _ pipeline: DisplayPipeline, blob: borrowing PropertyBlob, on device: any KMSDevice
    ) throws(DisplayError) {
        let id = blob.id
        let pair = try buffers.pair(for: pipeline, pending: commits.pending?.buffers, canvas, on: device)
        let others = try canvas.test(pair.next, on: device) { framebuffer throws(DisplayError) in
            try commits.commit(
                settings(pipeline, showing: framebuffer, blob: id), [.testOnly, .allowModeset])
        }
        if let others { buffers.replaceCandidate(others) }
    }

    func driven(_ pipeline: DisplayPipeline) -> ScreenMachine.Input {
        outcome { device throws(DisplayError) -> ScreenMachine.Input in
            commits.save(pipeline)
            var pair = try buffers.pair(for: pipeline, pending: commits.pending?.buffers, canvas, on: device)
            pair.next = try canvas.write(on: pair.next, hole: video.hole, device)
            let blob = try PropertyBlob(pipeline.timing.octets, on: device)
            commits.renewToken()
            flips.isPending = false
            let alone = settings(pipeline, showing: pair.next.framebuffer, blob: blob.id)
            moveVideo(to: pipeline, alone, canvas: pair.next)
            do throws(DisplayError) {
                try begin(alone, canvas: pair.next)
            } catch {
                guard case .kms(_, EBUSY) = error else { throw error }
                faults.pending = error
                return .busy
            }
            buffers.modesetBegun(givingUp: commits.pending?.buffers)
            // The kernel now carries out the modeset.
            commits.modesetBegun(pipeline, blob: blob, buffers: pair)
            isLeaving = false
            video.committed()
            return .begun
        }
    }

    private func settings(_ pipeline: DisplayPipeline, showing framebuffer: UInt32, blob: UInt32) -> [KMSSetting] {
        let leaving = video.leaving(besides: commits.driven.map { [$0.plane] } ?? [])
        return commits.settings(pipeline, showing: framebuffer, blob: blob, leaving: leaving)
    }

    // MARK: Page flips

    func flipped() -> ScreenMachine.Input {
        let before = faults.pending
        let input = outcome { device throws(DisplayError) -> ScreenMachine.Input in try self.flip() }
        guard input.isRefused, let error = faults.pending, !error.isOfBusyCard, video.refuseNext(error, now: clock())
        else { return input }
        faults.pending = before
        return .videoRefused
    }

    private func flip() throws(DisplayError) -> ScreenMachine.Input {
        guard let front = buffers.front, let driven = commits.driven else { throw .missing("a buffer") }
        commits.renewToken()
        let settings =
            video.isIdle
            ? flips.settings(showing: front.framebuffer) : video.settings(canvas: front, on: driven)
        try canvas.flip(on: driven.plane) { more throws(DisplayError) in
            try commits.commit(more.isEmpty ? settings : settings + more, .pageFlipEvent)
        }
        video.committed()
        return try waitForFlip()
    }

    /// - Returns: `begun` if the flip is no longer waited for.
    private func waitForFlip() throws(DisplayError) -> ScreenMachine.Input {
        var timeout = ScreenMachine.flipTimeout
        switch pacing.role {
        case .alone: break
        case .leading:
            // If other screens can lead, waiting ends as soon as it is clear that this one cannot.
            timeout = min(timeout, (machine.timing?.mode.refresh.period ?? .zero) * 3)
        case .following:
            flips.isPending = true
            return .begun
        }
        let limit = clock() + timeout
        pacing.meanwhile?()
        // An event that has already come is taken, however late it is.
        if let event = try commits.takeFlip(timeout: { limit - self.clock() }) {
            flipDone(at: event.visible)
            return .accepted
        }
        guard pacing.role != .alone else { return .flipLost }
        flips.stalled(at: clock())
        return .begun
    }

    private func flipDone(at instant: Monotonic) {
        flips.done(at: instant)
        video.flipDone()
        buffers.flipDone()
    }

    // MARK: Events

    /// Takes the event of a modeset or flip that is under way, if it has come.
    func collect() {
        let isOutdated = commits.pending?.isOutdated ?? false
        if flips.isPending { return collectFlip() }
        run(outcome { _ throws(DisplayError) -> ScreenMachine.Input in try self.collectModeset() })
        label?.pinPassedOver = machine.passedOver?.description
        if isOutdated, machine.isShown { isBehind = true }
    }

    private func collectFlip() {
        let input = outcome { _ throws(DisplayError) -> ScreenMachine.Input in
            guard let event = try self.commits.takeFlip() else { return .due }
            self.flipDone(at: event.visible)
            return .accepted
        }
        guard case .due = input else { return run(input) }
    }

    private func collectModeset() throws(DisplayError) -> ScreenMachine.Input {
        guard let (modeset, event) = try commits.takeModeset() else { return .due }
        commits.modesetEnded()
        // The machine may already have given it up.
        let isLate = !machine.isAwaiting
        if let code = event.refusal {
            if isLate { return .due }
            throw .kms("commit", code: code)
        }
        buffers.modesetDone(modeset.buffers)
        video.flipDone()
        flips.modesetDone(modeset.pipeline, at: event.visible)
        label = ScreenLabel(machine.connector, modeset.pipeline.timing.mode)
        return isLate ? .cameLate : .accepted
    }
}
