// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// A client's association with an access point, or one of an access point's clients.
struct Association {
    /// The other side's address. nil if an event did not name it.
    var address: HardwareAddress?
    /// When it was first told or observed.
    let since: Monotonic
    /// Whether an event has told of it.
    var isTold: Bool
    /// When it began, by the time for which it is connected: up to a second late. nil if the driver does not say.
    private(set) var start: Monotonic?
    /// nil before the first sample.
    private(set) var figures: StationFigures?
    private(set) var baseline: CounterBaseline

    init(_ address: HardwareAddress?, since: Monotonic, isTold: Bool, baseline: CounterBaseline? = nil) {
        self.address = address
        self.since = since
        self.isTold = isTold
        self.baseline = baseline ?? CounterBaseline(countsFromZero: true)
    }

    mutating func observed(_ figures: StationFigures, at now: Monotonic, into totals: inout RadioTotals) {
        address = figures.address
        start = Self.start(of: figures, at: now)
        self.figures = figures
        baseline.count(figures, into: &totals)
    }

    /// Whether the sample is of a later association with the same station: the time for which it is connected went
    /// back, or is too short for the association to be the same. Samples may come late by a second.
    func isOver(by sample: StationFigures, at now: Monotonic) -> Bool {
        if let before = figures?.connected, let connected = sample.connected, connected < before { return true }
        guard let start, let other = Self.start(of: sample, at: now) else { return false }
        return other - start > .seconds(2)
    }

    static func start(of figures: StationFigures, at now: Monotonic) -> Monotonic? {
        figures.connected.map { now - .seconds($0.components.seconds) }
    }
}
