// SPDX-License-Identifier: Apache-2.0
import Scene

/// The modes to try on a screen, best first, and which of them were refused. A candidate is given by its index.
struct ModeCandidates: Sendable {
    /// Greatest number of modes to try.
    static let limit = 8

    var request: ModeRequest
    private(set) var timings: [KMSTiming] = []
    /// The candidate that stays visible while others are tested.
    private(set) var kept: Int?
    /// The candidate whose modeset was last given up.
    var lost: Int?
    private var tried: Set<Int> = []

    init(_ request: ModeRequest) { self.request = request }

    subscript(candidate: Int) -> KMSTiming { timings[candidate] }

    /// The best candidate that has not been tried; nil if all have been.
    var next: Int? { timings.indices.first { !tried.contains($0) } }

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
}
