// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The programs as they are run, with peers that know nothing of us: one test at a time, each in a venue of its own.
///
/// Needs no privilege on loopback; what needs a network namespace (whoever finds its way by a route) is skipped without.
@Suite(.serialized) enum Interop {
    /// How long the long plays last: `TOUCHLINE_SOAK_SECONDS`, else what a test run has time for.
    static func playSeconds(usual: Double) -> Double {
        ProcessInfo.processInfo.environment["TOUCHLINE_SOAK_SECONDS"].flatMap(Double.init) ?? usual
    }

    /// Whether the long plays last as long as the soak wants them to.
    static let isSoak = ProcessInfo.processInfo.environment["TOUCHLINE_SOAK_SECONDS"] != nil

    /// Whether every combination is tried: in the soak, and where `TOUCHLINE_ALL` is 1, as in `board/test --all`.
    static let triesAll = isSoak || ProcessInfo.processInfo.environment["TOUCHLINE_ALL"] == "1"

    /// Runs the cases of a test at the same time. Each opens a venue of its own.
    static func sideBySide<Case: Sendable>(
        _ cases: [Case], _ body: @escaping @Sendable (Case) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in cases { group.addTask { try await body(one) } }
            try await group.waitForAll()
        }
    }

    /// `TOUCHLINE_SEED`, else one of its own, which a failing test prints.
    static let seed: UInt64 =
        ProcessInfo.processInfo.environment["TOUCHLINE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...999_999)
}

/// A test could not get as far as its subject.
struct VenueError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Waits for something to come true, looking often: a hundred times a second, or for a quarter of the time where a look
/// is a program of its own, so that the looks leave the processors to what is looked at.
/// - Returns: false when it has not within `limit`.
func eventually(within limit: Duration, _ condition: () async throws -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while true {
        let began = clock.now
        if try await condition() { return true }
        guard clock.now < deadline else { return false }
        try await Task.sleep(for: max(.milliseconds(10), (clock.now - began) * 3))
    }
}
