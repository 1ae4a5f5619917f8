// SPDX-License-Identifier: Apache-2.0
import Time

@testable import Synchronisation

/// pydvbcss' algorithm: the candidate whose dispersion is the least now, grown with its age by the frequency errors.
struct LowestDispersion {
    let error: FrequencyError
    private var best: WallClockCandidate?

    init(error: FrequencyError) { self.error = error }

    /// - Returns: whether the candidate is better than the best. The next request follows after 1 s then, else 0.2 s.
    mutating func add(_ candidate: WallClockCandidate) -> Bool {
        let now = candidate.responseReceived
        if let best, dispersion(of: best, at: now) <= dispersion(of: candidate, at: now) { return false }
        best = candidate
        return true
    }

    var offset: Int64 {
        guard let best else { return 0 }
        let wall = best.requestReceived.nanoseconds + best.responseSent.nanoseconds
        return (wall - best.requestSent.nanoseconds - best.responseReceived.nanoseconds) / 2
    }

    private func dispersion(of candidate: WallClockCandidate, at now: Monotonic) -> Int64 {
        candidate.roundTrip.count / 2 + error.growth(over: candidate.responseReceived - candidate.requestSent)
            + error.growth(over: now - candidate.responseReceived)
    }
}
