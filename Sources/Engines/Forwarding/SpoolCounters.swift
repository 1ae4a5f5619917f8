// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a spool has done since it was opened, and what it holds.
public struct SpoolCounters: Equatable, Sendable {
    public internal(set) var appended: Int64 = 0
    /// Reports that were not taken because they are too long.
    public internal(set) var tooLong: Int64 = 0
    public internal(set) var acknowledged: Int64 = 0
    /// Reports that the reporter will never take.
    public internal(set) var refused: Int64 = 0
    /// Reports that were given up, since the box was made.
    public internal(set) var lost: Int64 = 0
    /// Places in files that could not be understood, and files that could not be read.
    public internal(set) var damaged: Int64 = 0
    /// Segments whose last record was cut off.
    public internal(set) var torn: Int64 = 0
    public internal(set) var diskFailures: Int64 = 0
    /// Reports that are still to be acknowledged.
    public internal(set) var pending: Int64 = 0
    /// Reports among these that the disk has not taken.
    public internal(set) var unwritten: Int64 = 0
    /// Octets of all segments.
    public internal(set) var octets: Int64 = 0

    public init() {}

    public static let statistics: [Statistic<Self>] = [
        .counter("reportsAppended", \.appended, "reports", "Reports that were made."),
        .counter(
            "reportsTooLong", \.tooLong, "reports", "Reports that were not kept because they are too long.", .fault),
        .counter("reportsAcknowledged", \.acknowledged, "reports", "Reports that the reporter has.", .page),
        .counter("reportsRefused", \.refused, "reports", "Reports that the reporter will never take.", .fault),
        .counter(
            "reportsLost", \.lost, "reports", "Reports that were given up before they were acknowledged.",
            [.fault, .page]),
        .counter("reportsDamaged", \.damaged, "places", "Places in the files of reports that cannot be read.", .fault),
        .counter("reportsTorn", \.torn, "files", "Files of reports whose end was cut off by a loss of power."),
        .counter("reportDiskFailures", \.diskFailures, "failures", "Failures of the disk that keeps reports.", .fault),
        .gauge("reportsPending", \.pending, "reports", "Reports that are not acknowledged yet.", .page),
        .gauge("reportsUnwritten", \.unwritten, "reports", "Reports among these that the disk has not taken."),
        .gauge("reportFileOctets", \.octets, .octets, "Size of the files of reports."),
    ]
}
