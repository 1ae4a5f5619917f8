// SPDX-License-Identifier: Apache-2.0
import System
import Venue

/// A run of boxes against a reporter, or of venues against a region, as the options have it.
public enum Simulation {
    /// - Parameter output: takes a line without a line feed.
    /// - Throws: as `Simulator` and `VenueSimulator`.
    public static func run(
        _ options: SimulatorOptions, until signals: borrowing SignalWatch, output: @escaping (String) -> Void
    ) throws(Status) {
        if options.venueCount == nil {
            try Simulator(options, output: output).run(until: signals)
        } else {
            try VenueSimulator(options, output: output).run(until: signals)
        }
    }
}
