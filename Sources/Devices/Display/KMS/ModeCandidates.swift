// SPDX-License-Identifier: Apache-2.0
import Scene

/// The modes to try on a screen, best first, and which of them were refused. A candidate is given by its index.
struct ModeCandidates: Sendable {
    /// Greatest number of modes to try.
    static let limit = 8
    /// After this many lost modesets a mode is tried only while no other can be shown: each try darkens the screen for
    /// seconds.
    private static let mostLosses = 2

    var request: ModeRequest
    private(set) var timings: [KMSTiming] = []
    /// The candidate that stays visible while others are tested.
    private(set) var kept: Int?
    /// The candidate whose modeset was last given up.
    private(set) var lost: Int?
    private var tried: Set<Int> = []
    /// Lost modesets of each mode since the display was plugged in, or since the mode was last shown.
    private var losses: [KMSTiming: Int] = [:]

    init(_ request: ModeRequest) { self.request = request }

    subscript(candidate: Int) -> KMSTiming { timings[candidate] }

    /// The best candidate that has not been tried; nil if all have been. Those given up are tried last, and only if no
    /// candidate is visible.
    var next: Int? {
        let left = timings.indices.filter { !tried.contains($0) }
        return left.first { !isGivenUp($0) } ?? (kept == nil ? left.first : nil)
    }

    /// Whether a better candidate is worth trying while this one is visible.
    func hasBetter(than candidate: Int) -> Bool { timings.indices.prefix(candidate).contains { !isGivenUp($0) } }

    private func isGivenUp(_ candidate: Int) -> Bool { losses[timings[candidate], default: 0] >= Self.mostLosses }

    /// - Parameters:
    ///   - connector: nil leaves no candidates.
    ///   - shown: a mode that must be among the candidates.
    mutating func renew(for connector: KMSConnector?, with shown: KMSTiming? = nil) {
        guard let connector else { return timings = [] }
        (timings, lost) = (connector.candidates(for: request, with: shown, atMost: Self.limit), nil)
    }

    /// Lets all candidates be tried again.
    mutating func begin(keeping candidate: Int?) { (tried, kept) = ([], candidate) }

    /// Notes that no candidate is visible.
    mutating func keepNone() { kept = nil }

    mutating func reject(_ candidate: Int) { tried.insert(candidate) }

    /// Notes that the modeset of a candidate was begun and never reported done.
    mutating func lose(_ candidate: Int) {
        reject(candidate)
        lost = candidate
        losses[timings[candidate], default: 0] += 1
    }

    /// Notes that a candidate is visible.
    mutating func show(_ candidate: Int) {
        lost = nil
        losses[timings[candidate]] = nil
    }

    /// To be called when a display has been plugged in.
    mutating func forgetLosses() { losses = [:] }
}
