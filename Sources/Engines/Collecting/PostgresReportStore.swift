// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Synchronization
import System
import Time

extension ReportStore {
    /// Whether libpq can read the address.
    public static func isPostgresAddress(_ text: String) -> Bool { (try? ClusterAddress(text)) != nil }

    /// - Parameter address: as libpq has it: `host=a,b,c dbname=touchline user=touchline`.
    public static func postgres(_ address: String, _ retention: Retention = Retention()) throws(StoreError)
        -> ReportStore
    {
        do throws(ClusterError) {
            return .postgres(try ClusterAddress(address), retention)
        } catch {
            throw StoreError(error)
        }
    }

    /// Reports in a database of PostgreSQL, whose tables are made or brought forward by whoever connects first. A connection
    /// that has been lost is made anew at once, because another host may be the one that writes: reports that are written twice
    /// are kept once.
    public static func postgres(_ address: ClusterAddress, _ retention: Retention = Retention()) -> ReportStore {
        let writing = ClusterOpening(address, ClusterConnection.Options())
        // Whoever asks for months may wait for longer than a box does.
        var patient = ClusterConnection.Options()
        (patient.answer, patient.statement) = (.seconds(20), .seconds(15))
        let reading = ClusterOpening(address, patient)
        return ReportStore(
            openWriter: { () throws(StoreError) in
                let writer = try ClusterUse(writing) { (connection) throws(ClusterError) in
                    try PostgresReportWriter(connection, retention)
                } isUsable: {
                    $0.isUsable
                }
                return StoreWriter(
                    commit: { (batches) throws(StoreError) in
                        try writer.use { (writer) throws(ClusterError) in try writer.commit(batches) }
                    },
                    keepUp: { (now) throws(StoreError) in
                        try writer.use { (writer) throws(ClusterError) in try writer.keepUp(at: now) }
                    })
            },
            openReader: { () throws(StoreError) in
                let reader = try ClusterUse(reading) { (connection) throws(ClusterError) in
                    PostgresReportReader(connection)
                } isUsable: {
                    $0.isUsable
                }
                return StoreReader(
                    latest: { (after, limit) throws(StoreError) in
                        try reader.use { (reader) throws(ClusterError) in try reader.latest(after: after, limit) }
                    },
                    latestOf: { (box) throws(StoreError) in
                        try reader.use { (reader) throws(ClusterError) in try reader.latest(of: box) }
                    },
                    reports: { (query) throws(StoreError) in
                        try reader.use { (reader) throws(ClusterError) in try reader.reports(query) }
                    },
                    gaps: { (box, limit) throws(StoreError) in
                        try reader.use { (reader) throws(ClusterError) in try reader.gaps(of: box, limit) }
                    },
                    air: { (query) throws(StoreError) in
                        try reader.use { (reader) throws(ClusterError) in try reader.air(query) }
                    },
                    boxSums: { (query) throws(StoreError) in
                        try reader.use { (reader) throws(ClusterError) in try reader.boxSums(query) }
                    },
                    alerts: { (query) throws(StoreError) in
                        try reader.use { (reader) throws(ClusterError) in
                            try PostgresAlerts.list(query, reader.connection)
                        }
                    }, venues: VenueReading(reader), forward: ForwardReading(reader))
            },
            openKeeper: { () throws(StoreError) in
                AlertKeeper(
                    try ClusterUse(writing) { (connection) throws(ClusterError) in
                        try PostgresAlerts(connection)
                    } isUsable: {
                        $0.isUsable
                    })
            })
    }
}

/// Connects, but not too often.
public final class ClusterOpening: Sendable {
    private let address: ClusterAddress
    private let options: ClusterConnection.Options
    private let gate = Mutex(ClusterGate())

    public init(_ address: ClusterAddress, _ options: ClusterConnection.Options) {
        (self.address, self.options) = (address, options)
    }

    func open() throws(StoreError) -> ClusterConnection {
        if let refusal = gate.withLock({ $0.refusal(at: SystemClock.monotonic()) }) { throw refusal }
        do throws(ClusterError) {
            let connection = try ClusterConnection(address, options)
            gate.withLock { $0.succeeded() }
            return connection
        } catch {
            let failure = StoreError(error)
            gate.withLock { $0.failed(failure, at: SystemClock.monotonic()) }
            throw failure
        }
    }
}

/// Something that works on a connection, and is made anew with it.
public final class ClusterUse<User> {
    private let opening: ClusterOpening
    private let make: (ClusterConnection) throws(ClusterError) -> User
    private let isUsable: (User) -> Bool
    private var user: User?

    public init(
        _ opening: ClusterOpening, make: @escaping (ClusterConnection) throws(ClusterError) -> User,
        isUsable: @escaping (User) -> Bool
    ) throws(StoreError) {
        self.opening = opening
        self.make = make
        self.isUsable = isUsable
        user = try opened()
    }

    /// Does it, and does it once more on a new connection if the one that was there is lost or may not write any more.
    public func use<Answer>(_ body: (User) throws(ClusterError) -> Answer) throws(StoreError) -> Answer {
        let wasThere = user != nil
        let user = try opened()
        do throws(ClusterError) {
            return try body(user)
        } catch {
            let isElsewhere = error.kind == .unreachable || error.kind == .readOnly
            if isElsewhere || !isUsable(user) { self.user = nil }
            guard isElsewhere, wasThere else { throw StoreError(error) }
        }
        return try again(body)
    }

    private func again<Answer>(_ body: (User) throws(ClusterError) -> Answer) throws(StoreError) -> Answer {
        let user = try opened()
        do throws(ClusterError) {
            return try body(user)
        } catch {
            self.user = nil
            throw StoreError(error)
        }
    }

    private func opened() throws(StoreError) -> User {
        if let user, isUsable(user) { return user }
        let connection = try opening.open()
        do throws(ClusterError) {
            let made = try make(connection)
            user = made
            return made
        } catch {
            throw StoreError(error)
        }
    }
}

extension StoreError {
    public init(_ error: ClusterError) {
        let kind: Kind =
            switch error.kind {
            case .unreachable, .unconfirmed, .denied: .gone
            case .readOnly: .readOnly
            case .full: .full
            case .serialisation, .busy: .busy
            case .failing: .failing
            case .damaged: .damaged
            case .conflict, .other: .other
            }
        self.init(kind, error.description)
    }
}
