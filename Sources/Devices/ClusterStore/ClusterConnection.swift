// SPDX-License-Identifier: Apache-2.0
internal import CLibPQ
import System
import Time

/// A connection to the host of a cluster of PostgreSQL that takes writes. It never waits for longer than it is told to: a host
/// that says nothing is as good as none.
/// - Thread: one at a time.
public final class ClusterConnection {
    public struct Options: Sendable {
        /// For how long the host may say nothing to a statement, a COMMIT with its standbys among them.
        public var answer = Nanoseconds.seconds(4)
        /// After which the host itself gives a statement up. It must be less, so that a slow statement costs no connection.
        public var statement = Nanoseconds.seconds(3)

        public init() {}
    }

    /// A row; nil is NULL.
    public typealias Row = [String?]

    /// Statements that are kept prepared.
    private static let mostStatements = 128
    /// Octets of rows that are handed to libpq at a time.
    private static let portion = 64 << 10

    private let handle: OpaquePointer
    private let address: ClusterAddress
    private let options: Options
    private let warnings: ClusterWarnings
    /// Names of prepared statements by their texts.
    private var statements: [String: String] = [:]
    private var made = 0
    /// Rows that the last statement changed.
    public private(set) var changes: Int64 = 0
    private var hasFailed = false

    /// Tries each host in turn, until one takes writes.
    public init(_ address: ClusterAddress, _ options: Options = Options()) throws(ClusterError) {
        self.address = address
        self.options = options
        warnings = ClusterWarnings()
        guard let opened = ClusterStrings.with(address.options, { PQconnectdbParams($0, $1, 0) }) else {
            throw ClusterError(.unreachable, "there is no memory for a connection")
        }
        guard PQstatus(opened) == CONNECTION_OK else {
            let why = address.cleaned(String(cString: PQerrorMessage(opened)))
            PQfinish(opened)
            throw ClusterError(.unreachable, why)
        }
        handle = opened
        PQsetNoticeReceiver(
            opened,
            { context, result in
                guard let context else { return }
                Unmanaged<ClusterWarnings>.fromOpaque(context).takeUnretainedValue().add(result)
            }, Unmanaged.passUnretained(warnings).toOpaque())
        guard PQsetnonblocking(opened, 1) == 0 else { throw problem() }
        // A commit is answered when it is on the disk of this host, and of the standbys that the server waits for.
        let settings = [
            "set_config('statement_timeout', '\(options.statement.milliseconds)', false)",
            "set_config('lock_timeout', '\(options.statement.milliseconds / 2)', false)",
            "set_config('idle_in_transaction_session_timeout', '30000', false)",
            "set_config('standard_conforming_strings', 'on', false)",
        ]
        _ = try query("SELECT " + settings.joined(separator: ", "))
        _ = try query(
            """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
            """)
    }

    deinit { PQfinish(handle) }

    /// Whether it can be used again.
    public var isUsable: Bool { !hasFailed && PQstatus(handle) == CONNECTION_OK }

    // MARK: Statements

    /// Carries out one statement.
    /// - Parameter values: of `$1`, `$2` …
    public func execute(_ statement: String, _ values: [ClusterValue] = []) throws(ClusterError) {
        _ = try query(statement, values)
    }

    /// The rows of one statement, which is prepared once. Statements that are made anew each time belong into `run`.
    public func query(_ statement: String, _ values: [ClusterValue] = []) throws(ClusterError) -> [Row] {
        let name = try prepare(statement)
        let sent = ClusterStrings.with(values) { values, lengths, formats in
            PQsendQueryPrepared(handle, name, CInt(lengths.count), values, lengths, formats, 0)
        }
        return try rows(sent)
    }

    /// One or several statements without parameters, which are not kept.
    public func run(_ statements: String) throws(ClusterError) { _ = try rows(PQsendQuery(handle, statements)) }

    /// Does all of it, or nothing if it throws. If it throws `.unreachable` or `.unconfirmed`, all of it may have been done.
    public func transaction(_ body: () throws(ClusterError) -> Void) throws(ClusterError) {
        try execute("BEGIN")
        do throws(ClusterError) {
            try body()
            warnings.texts = []
            try execute("COMMIT")
        } catch {
            if isUsable { try? execute("ROLLBACK") }  // what went wrong before is what counts
            throw error
        }
        // A server that is told to wait for its standbys no longer says COMMIT nevertheless, and warns.
        if let warning = warnings.texts.first { throw ClusterError(.unconfirmed, address.cleaned(warning)) }
    }

    /// Ends commits of this role that wait for standbys for longer than anybody waits for them. Their clients have gone, which
    /// the server does not see, and no time limit of its own ends that wait; it holds a connection, and locks.
    public func endAbandonedCommits() throws(ClusterError) {
        try execute(
            """
            SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE usename = current_user AND wait_event = 'SyncRep' AND query_start < now() - $1 * interval '1 ms'
            """, [.integer(2 * options.answer.milliseconds)])
    }

    /// Appends rows to a table.
    /// - Parameter target: the table, and its columns in brackets.
    public func copy(_ rows: [[ClusterValue]], into target: String) throws(ClusterError) {
        let deadline = SystemClock.monotonic() + options.answer
        let sent = PQsendQuery(handle, "COPY \(target) FROM STDIN")
        guard sent == 1 else { throw problem() }
        try flush(until: deadline)
        guard let first = try next(until: deadline) else { throw problem() }
        defer { PQclear(first) }
        guard PQresultStatus(first) == PGRES_COPY_IN else {
            let error = error(of: first)
            try drain(until: deadline)
            throw error ?? problem()
        }
        var octets: [UInt8] = []
        for row in rows {
            for (index, value) in row.enumerated() {
                if index > 0 { octets.append(0x09) }
                value.write(to: &octets)
            }
            octets.append(0x0a)
            guard octets.count >= Self.portion else { continue }
            try put(octets, until: deadline)
            octets.removeAll(keepingCapacity: true)
        }
        try put(octets, until: deadline)
        while true {
            let code = PQputCopyEnd(handle, nil)
            if code == 1 { break }
            guard code == 0 else { throw problem() }
            try flush(until: deadline)
        }
        _ = try self.rows(1)
    }

    private func put(_ octets: [UInt8], until deadline: Monotonic) throws(ClusterError) {
        while !octets.isEmpty {
            let code = octets.withUnsafeBytes { bytes in
                PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count))
            }
            if code == 1 { return try flush(until: deadline) }
            guard code == 0 else { throw problem() }
            try flush(until: deadline)
        }
    }

    private func prepare(_ statement: String) throws(ClusterError) -> String {
        if let name = statements[statement] { return name }
        if statements.count >= Self.mostStatements {
            _ = try rows(PQsendQuery(handle, "DEALLOCATE ALL"))
            statements = [:]
        }
        made += 1
        let name = "s\(made)"
        _ = try rows(PQsendPrepare(handle, name, statement, 0, nil))
        statements[statement] = name
        return name
    }

    // MARK: Answers

    /// Waits for all that a statement has to say.
    private func rows(_ sent: CInt) throws(ClusterError) -> [Row] {
        let deadline = SystemClock.monotonic() + options.answer
        guard sent == 1 else { throw problem() }
        try flush(until: deadline)
        var rows: [Row] = []
        var failed: ClusterError?
        while let result = try next(until: deadline) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: changes = Int64(String(cString: PQcmdTuples(result))) ?? 0
            case PGRES_TUPLES_OK:
                changes = Int64(PQntuples(result))
                rows = Self.rows(of: result)
            default: failed = failed ?? error(of: result) ?? problem()
            }
        }
        if let failed {
            if failed.kind == .unreachable { hasFailed = true }
            throw failed
        }
        return rows
    }

    private static func rows(of result: OpaquePointer) -> [Row] {
        let columns = PQnfields(result)
        return (0..<PQntuples(result)).map { row in
            (0..<columns).map { column in
                guard PQgetisnull(result, row, column) == 0, let text = PQgetvalue(result, row, column) else {
                    return nil
                }
                let octets = UnsafeRawBufferPointer(start: text, count: Int(PQgetlength(result, row, column)))
                return String(decoding: octets, as: UTF8.self)
            }
        }
    }

    private func drain(until deadline: Monotonic) throws(ClusterError) {
        while let result = try next(until: deadline) { PQclear(result) }
    }

    private func next(until deadline: Monotonic) throws(ClusterError) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            try wait(forRoom: false, until: deadline)
            guard PQconsumeInput(handle) == 1 else { throw problem() }
        }
        return PQgetResult(handle)
    }

    private func flush(until deadline: Monotonic) throws(ClusterError) {
        while true {
            let code = PQflush(handle)
            if code == 0 { return }
            guard code == 1 else { throw problem() }
            try wait(forRoom: true, until: deadline)
            // The server may have something to say before it listens again.
            guard PQconsumeInput(handle) == 1 else { throw problem() }
        }
    }

    private func wait(forRoom: Bool, until deadline: Monotonic) throws(ClusterError) {
        guard ClusterSocket.wait(PQsocket(handle), forRoom: forRoom, until: deadline) else {
            hasFailed = true
            throw ClusterError(.unreachable, "the host has said nothing for \(options.answer.milliseconds) ms")
        }
    }

    // MARK: Errors

    private func error(of result: OpaquePointer) -> ClusterError? {
        guard let state = PQresultErrorField(result, tl_pq_state) else { return nil }
        let message = PQresultErrorField(result, tl_pq_message).map { String(cString: $0) } ?? ""
        return ClusterError(state: String(cString: state), message: address.cleaned(message))
    }

    /// What libpq itself says: the way to the host is what fails.
    private func problem() -> ClusterError {
        let why = address.cleaned(String(cString: PQerrorMessage(handle)))
        hasFailed = true
        return ClusterError(.unreachable, why.isEmpty ? "the connection is lost" : why)
    }
}
