// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Bounds, removal of what is settled, and the file that says what is.
extension Spool {
    func upkeep(at moment: Moment) {
        upkeepRetry = nil
        unreadable = []
        readRest(at: moment.now)
        removeStrays(at: moment.now)
        while ledger.isOldestOverdue(at: moment, opened: opened, longest: options.longestAge) {
            guard giveUpOldest(at: moment.now) else { break }
        }
        removeSettled(at: moment.now)
        let isDue = lastStateWrite.map { moment.now - $0 >= options.statePause } ?? true
        if isStateDirty, isDue { writeState(ledger.state, at: moment.now) }
    }

    func upkeepFailed(_ error: SystemCallError, at now: Monotonic) {
        noteFailure(error)
        upkeepRetry = now + options.retryPause
    }

    // MARK: Bounds

    /// Gives up segments until there is room for more octets.
    /// - Returns: false if there is no room, because the disk does not do what that takes.
    func makeRoom(for octets: Int, at moment: Moment) -> Bool {
        while ledger.octets + octets > options.mostOctets || ledger.segments.count >= options.mostSegments {
            guard giveUpOldest(at: moment.now) else { return false }
        }
        return true
    }

    /// Removes the oldest segment. What was not settled of it is counted as lost, on the disk, before that.
    /// - Returns: whether it is gone.
    private func giveUpOldest(at now: Monotonic) -> Bool {
        guard let oldest = ledger.segments.first, oldest.name != intake.open?.name else { return false }
        var after = ledger
        if after.giveUp(after.pending(in: oldest), of: oldest.name.boot) > 0 {
            guard writeState(after.state, at: now) else { return false }
            ledger = after
        }
        return remove(oldest, at: now)
    }

    // MARK: Removal

    private func removeSettled(at now: Monotonic) {
        for segment in ledger.segments where segment.name != intake.open?.name {
            guard ledger.pending(in: segment).isEmpty, !segment.hasCopies || intake.isOnDisk else { continue }
            guard remove(segment, at: now) else { break }
        }
        guard hasRemoved else { return }
        do throws(SystemCallError) {
            try files.flushNames()
            hasRemoved = false
        } catch {
            upkeepFailed(error, at: now)
        }
    }

    private func remove(_ segment: Segment, at now: Monotonic) -> Bool {
        do throws(SystemCallError) {
            try files.remove(segment.name.description)
        } catch {
            upkeepFailed(error, at: now)
            return false
        }
        ledger.remove(segment.name)
        hasRemoved = true
        return true
    }

    private func removeStrays(at now: Monotonic) {
        for name in strays {
            do throws(SystemCallError) {
                try files.remove(name)
                strays.remove(name)
            } catch {
                return upkeepFailed(error, at: now)
            }
        }
    }

    // MARK: State

    /// - Returns: whether the disk has it.
    @discardableResult
    func writeState(_ state: SpoolState, at now: Monotonic) -> Bool {
        // What the disk has must not be replaced before it was read.
        guard isStateKnown else { return false }
        do throws(SystemCallError) {
            try files.replace(SpoolState.fileName, with: state.octets)
        } catch {
            // The disk may have it all the same, so what is true is to be written even if nothing changes any more.
            isStateDirty = true
            upkeepFailed(error, at: now)
            return false
        }
        lastStateWrite = now
        isStateDirty = false
        // A removal that is not on the disk yet may be undone by a loss of power.
        if unread?.isEmpty == true, !hasRemoved { ledger.prune(keeping: boot) }
        return true
    }
}
