// SPDX-License-Identifier: Apache-2.0
import JSON

/// The member `wifi` of a report (SVM-127), with what was counted since the report before.
public struct RadioReport: Sendable {
    private static let mostRemembered = 128

    /// A list, by the indices of the interfaces.
    public let json: JSONValue
    /// By the names of the interfaces, also of those that are gone.
    private var totals: [String: RadioTotals]

    /// - Parameters:
    ///   - interfaces: as `RadioLedger` has them.
    ///   - before: the report before; nil for the first one since the service started.
    public init(_ interfaces: [RadioState], before: RadioReport? = nil) {
        let known = before?.totals ?? [:]
        json = .array(
            interfaces.map { state in
                state.json(deltas: state.totals.since(known[state.name] ?? RadioTotals()))
            })
        totals = known.count <= Self.mostRemembered ? known : [:]
        for state in interfaces { totals[state.name] = state.totals }
    }
}
