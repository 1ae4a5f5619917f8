// SPDX-License-Identifier: Apache-2.0
import Scene

/// The modes that a screen is tried with, best first, and which of them were refused. A candidate is given by its index.
struct ModeCandidates: Sendable {
    /// Modes to try, at most.
    static let limit = 8

    var request: ModeRequest
    private(set) var timings: [KMSTiming] = []
    /// The candidate that is shown while others are tested.
    private(set) var kept: Int?
    /// The candidate whose modeset was given up last.
    var lost: Int?
    private var tried: Set<Int> = []

    init(_ request: ModeRequest) { self.request = request }

    subscript(candidate: Int) -> KMSTiming { timings[candidate] }

    /// The best candidate that was not tried yet.
    var next: Int? { timings.indices.first { !tried.contains($0) } }

    /// - Parameters:
    ///   - connector: nil leaves no candidates.
    ///   - shown: a mode that has to be among the candidates.
    mutating func renew(for connector: KMSConnector?, with shown: KMSTiming? = nil) {
        guard let connector else { return timings = [] }
        (timings, lost) = (connector.candidates(for: request, with: shown, atMost: Self.limit), nil)
    }

    /// Tries all again.
    mutating func begin(keeping candidate: Int?) { (tried, kept) = ([], candidate) }

    /// No candidate is shown any more.
    mutating func keepNone() { kept = nil }

    mutating func reject(_ candidate: Int) { tried.insert(candidate) }
}
