// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// The writer's thread.
extension ReportWriter.Desk {
    private enum Step {
        case write([ReportWriter.Waiting])
        case keepUp
        case end
    }

    func run(_ store: ReportStore) {
        var writer: StoreWriter?
        var upkeepDue = SystemClock.monotonic()
        while true {
            switch next(upkeepDue) {
            case .end: return
            case .write(let group):
                write(group, store, &writer)
                if state.withLock({ $0.trouble != nil }) {
                    upkeepDue = min(upkeepDue, SystemClock.monotonic() + options.troubledPeriod)
                }
            case .keepUp:
                let pause = keepUp(store, &writer)
                upkeepDue = SystemClock.monotonic() + pause
            }
        }
    }

    /// Waits for something to do.
    private func next(_ upkeepDue: Monotonic) -> Step {
        while true {
            let now = SystemClock.monotonic()
            let (step, due): (Step?, Monotonic) = state.withLock { state in
                if upkeepDue <= now, !state.isStopping { return (.keepUp, now) }
                guard let first = state.waiting.first else { return (state.isStopping ? .end : nil, upkeepDue) }
                let due = first.since + options.gathering
                guard due <= now || state.isStopping || state.queue.reports >= options.mostReports else {
                    return (nil, min(due, upkeepDue))
                }
                return (.write(take(&state)), now)
            }
            if let step { return step }
            wakeup.wait(until: due)
        }
    }

    private func take(_ state: inout ReportWriter.State) -> [ReportWriter.Waiting] {
        var (count, reports) = (0, 0)
        for waiting in state.waiting {
            reports += waiting.batch.reports.count
            if count > 0, reports > options.mostReports { break }
            count += 1
        }
        let taken = Array(state.waiting.prefix(count))
        state.waiting.removeFirst(count)
        return taken
    }

    private func write(_ group: [ReportWriter.Waiting], _ store: ReportStore, _ writer: inout StoreWriter?) {
        let began = SystemClock.monotonic()
        let result = commit(group.map(\.batch), store, &writer)
        if case .failure(let error) = result, error.kind == .other, group.count > 1 {
            // A batch that the store cannot take must not take others with it.
            for waiting in group { write([waiting], store, &writer) }
            return
        }
        count(group, result, began)
        switch result {
        case .success(let outcomes):
            for (waiting, outcome) in zip(group, outcomes) { waiting.answer(.success(outcome)) }
        case .failure(let error):
            for waiting in group { waiting.answer(.failure(error)) }
        }
    }

    private func commit(
        _ batches: [IncomingBatch], _ store: ReportStore, _ writer: inout StoreWriter?
    ) -> Result<[BatchOutcome], StoreError> {
        do throws(StoreError) {
            return .success(try opened(store, &writer).commit(batches))
        } catch {
            writer = nil
            return .failure(error)
        }
    }

    private func count(
        _ group: [ReportWriter.Waiting], _ result: Result<[BatchOutcome], StoreError>, _ began: Monotonic
    ) {
        let now = SystemClock.monotonic()
        let reports = group.reduce(0) { $0 + $1.batch.reports.count }
        let octets = group.reduce(0) { $0 + $1.batch.octets }
        state.withLock { state in
            state.queue.reports -= reports
            state.queue.octets -= octets
            switch result {
            case .success(let outcomes):
                let took = (now - began) / Int64(max(1, reports))
                let before = state.queue.perReport
                state.queue.perReport = before == .zero ? took : before + (took - before) / 8
                state.trouble = nil
                state.counters.commits += 1
                state.counters.commitUs.count((now - began).microseconds)
                for (waiting, outcome) in zip(group, outcomes) {
                    state.counters.kept += UInt64(outcome.new)
                    state.counters.known += UInt64(outcome.known)
                    state.counters.refused += UInt64(outcome.refused.count)
                    state.counters.acknowledgementUs.count((now - waiting.since).microseconds)
                }
            case .failure(let error):
                state.trouble = error
                state.counters.failedCommits += 1
            }
        }
    }

    /// Throws away a part of what is old. A store that has not taken the last group is tried as well, so that it is known
    /// to be well again also when nobody sends anything.
    /// - Returns: when it is to be done again.
    private func keepUp(_ store: ReportStore, _ writer: inout StoreWriter?) -> Nanoseconds {
        do throws(StoreError) {
            let isTroubled = state.withLock { $0.trouble != nil }
            if isTroubled { _ = try opened(store, &writer).commit([]) }
            let hasMore = try opened(store, &writer).keepUp(SystemClock.wall())
            state.withLock { state in
                state.trouble = nil
                if hasMore { state.counters.upkeepPortions += 1 }
            }
            return hasMore ? options.pauseBetweenPortions : options.upkeepPeriod
        } catch {
            writer = nil
            state.withLock { $0.trouble = error }
            return options.troubledPeriod
        }
    }

    private func opened(_ store: ReportStore, _ writer: inout StoreWriter?) throws(StoreError) -> StoreWriter {
        if let writer { return writer }
        let opened = try store.openWriter()
        writer = opened
        state.withLock { $0.counters.reopenings += 1 }
        return opened
    }
}
