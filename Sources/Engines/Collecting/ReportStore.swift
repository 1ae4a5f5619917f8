// SPDX-License-Identifier: Apache-2.0
import Time

/// Where reports are kept. It is a value of closures, so that whoever keeps reports knows nothing of the database behind
/// it, and the same tests run over each kind.
public struct ReportStore: Sendable {
    /// Boxes that a store keeps. Whoever has the boxes' token can make up ids.
    static let mostBoxes = 100_000

    /// Connects for writing. After an error of the writer it is called again.
    public let openWriter: @Sendable () throws(StoreError) -> StoreWriter
    /// Connects for reading.
    public let openReader: @Sendable () throws(StoreError) -> StoreReader
    /// Connects for telling alerts.
    public let openKeeper: @Sendable () throws(StoreError) -> AlertKeeper

    public init(
        openWriter: @escaping @Sendable () throws(StoreError) -> StoreWriter,
        openReader: @escaping @Sendable () throws(StoreError) -> StoreReader,
        openKeeper: @escaping @Sendable () throws(StoreError) -> AlertKeeper
    ) {
        self.openWriter = openWriter
        self.openReader = openReader
        self.openKeeper = openKeeper
    }
}

/// A connection that writes.
/// - Thread: the one that opened it.
public struct StoreWriter {
    /// Keeps batches, all of them or none: when it returns they are on the disk. What is there already is kept once.
    /// Without batches it tries whether the store can be written.
    /// - Returns: an outcome for each batch, in their order.
    public let commit: ([IncomingBatch]) throws(StoreError) -> [BatchOutcome]
    /// Does a bounded part of what `Retention` wants.
    /// - Returns: whether there is more to do.
    public let keepUp: (WallTime) throws(StoreError) -> Bool

    public init(
        commit: @escaping ([IncomingBatch]) throws(StoreError) -> [BatchOutcome],
        keepUp: @escaping (WallTime) throws(StoreError) -> Bool
    ) {
        self.commit = commit
        self.keepUp = keepUp
    }
}

/// A connection that reads. Every answer is bounded.
/// - Thread: the one that opened it.
public struct StoreReader {
    /// The latest states of boxes behind an id, in the order of their ids, without texts.
    public let latest: (_ after: String, _ limit: Int) throws(StoreError) -> [LatestState]
    /// The latest state of a box with its text; nil if it never sent one.
    public let latestOf: (_ box: String) throws(StoreError) -> LatestState?
    public let reports: (ReportQuery) throws(StoreError) -> ReportPage
    /// The starts of a box, the latest first, with what is missing of each.
    public let gaps: (_ box: String, _ limit: Int) throws(StoreError) -> [StartGaps]
    public let air: (AirQuery) throws(StoreError) -> [AirRow]
    /// In the order of time; a minute or hour in which nothing came has none.
    public let boxSums: (BoxSumsQuery) throws(StoreError) -> [BoxSums]
    public let alerts: (AlertQuery) throws(StoreError) -> [KeptAlert]
    public let venues: VenueReading
    public let forward: ForwardReading

    public init(
        latest: @escaping (_ after: String, _ limit: Int) throws(StoreError) -> [LatestState],
        latestOf: @escaping (_ box: String) throws(StoreError) -> LatestState?,
        reports: @escaping (ReportQuery) throws(StoreError) -> ReportPage,
        gaps: @escaping (_ box: String, _ limit: Int) throws(StoreError) -> [StartGaps],
        air: @escaping (AirQuery) throws(StoreError) -> [AirRow],
        boxSums: @escaping (BoxSumsQuery) throws(StoreError) -> [BoxSums],
        alerts: @escaping (AlertQuery) throws(StoreError) -> [KeptAlert],
        venues: VenueReading, forward: ForwardReading
    ) {
        self.latest = latest
        self.latestOf = latestOf
        self.reports = reports
        self.gaps = gaps
        self.air = air
        self.boxSums = boxSums
        self.alerts = alerts
        self.venues = venues
        self.forward = forward
    }
}
