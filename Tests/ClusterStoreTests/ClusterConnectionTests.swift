// SPDX-License-Identifier: Apache-2.0
import System
import TestSupport
import Testing
import Time

@testable import ClusterStore

@Suite(.enabled(if: PostgresServer.isThere)) struct ClusterConnectionTests {
    private func database() throws -> ClusterAddress {
        try ClusterAddress(try PostgresServer.shared.get().makeDatabase())
    }

    private func kind(_ body: () throws -> Void) -> ClusterError.Kind? { thrown(ClusterError.self, by: body)?.kind }

    @Test func valuesComeBackAsTheyWere() throws {
        let connection = try ClusterConnection(try database())
        try connection.run("CREATE TABLE t (i bigint, s text, o bytea, a bigint[], w text[])")
        let texts: [String?] = ["", "a\"b\\c{,}", nil, "ä\n\t", "NULL"]
        let values: [ClusterValue] = [
            .integer(.min), .text("it's \\N\t\n€"), .octets([0, 1, 0xff]), .array([.max, nil, 0]), .array(texts),
        ]
        try connection.execute("INSERT INTO t VALUES ($1, $2, $3, $4, $5)", values)
        try connection.copy([values, [.null, .null, .octets([]), .null, .null]], into: "t")
        let rows = try connection.query("SELECT i, s, o, a, w[2], w[3], w[5] FROM t")
        for row in rows.prefix(2) {
            #expect(
                row == ["\(Int64.min)", "it's \\N\t\n€", "\\x0001ff", "{\(Int64.max),NULL,0}", texts[1], nil, "NULL"])
        }
        #expect(rows[2] == [nil, nil, "\\x", nil, nil, nil, nil])
        try connection.execute("DELETE FROM t WHERE i = $1", [.integer(.min)])
        #expect(connection.changes == 2)
        // More than libpq takes at once, and statements that are not kept.
        try connection.copy(
            (0..<20_000).map { [.integer($0), .text(String(repeating: "x", count: 200))] }, into: "t (i, s)")
        for number in 0..<300 { #expect(try connection.query("SELECT \(number)") == [["\(number)"]]) }
        #expect(try connection.query("SELECT count(*) FROM t WHERE length(s) = 200") == [["20000"]])
    }

    @Test func whatFailsIsUndoneAndTheConnectionGoesOn() throws {
        let connection = try ClusterConnection(try database())
        try connection.run("CREATE TABLE t (i bigint PRIMARY KEY)")
        let twice = kind {
            try connection.transaction { () throws(ClusterError) in
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(twice == .conflict && connection.isUsable)
        #expect(kind { try connection.copy([[.integer(1)], [.text("x")]], into: "t") } == .other)
        #expect(kind { try connection.copy([[.integer(1)]], into: "nothing") } == .other)
        #expect(kind { _ = try connection.query("SELEC") } == .other)
        try connection.execute("SET default_transaction_read_only = on")
        #expect(kind { try connection.execute("INSERT INTO t VALUES (1)") } == .readOnly)
        #expect(try connection.query("SELECT * FROM t").isEmpty && connection.isUsable)
    }

    @Test func aHostThatSaysNothingIsGivenUp() throws {
        var options = ClusterConnection.Options()
        (options.answer, options.statement) = (.milliseconds(400), .seconds(60))
        let connection = try ClusterConnection(try database(), options)
        let begin = SystemClock.monotonic()
        #expect(kind { _ = try connection.query("SELECT pg_sleep(30)") } == .unreachable)
        #expect(SystemClock.monotonic() - begin < .seconds(10) && !connection.isUsable)
        options.statement = .milliseconds(100)
        let other = try ClusterConnection(try database(), options)
        #expect(kind { _ = try other.query("SELECT pg_sleep(30)") } == .busy && other.isUsable)
    }

    /// A server that is told to wait for standbys no longer says that it has committed, and warns. That is not enough.
    @Test(.timeLimit(.minutes(1))) func aCommitThatNoStandbyHasIsNone() throws {
        let server = try PostgresServer([
            "-c", "synchronous_standby_names=ANY 1 (nobody)", "-c", "synchronous_commit=local",
        ])
        let address = try ClusterAddress(server.address(of: "postgres"))
        let plain = try ClusterConnection(address)
        try plain.run("SET synchronous_commit = local; CREATE TABLE t (i bigint)")
        var options = ClusterConnection.Options()
        (options.answer, options.statement) = (.milliseconds(400), .seconds(60))
        let impatient = try ClusterConnection(address, options)
        let given = kind {
            try impatient.transaction { () throws(ClusterError) in try impatient.execute("INSERT INTO t VALUES (0)") }
        }
        #expect(given == .unreachable && !impatient.isUsable)
        // Its commit still waits, until somebody ends it.
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        #expect(try plain.query(waiting) == [["1"]])
        let later = try ClusterConnection(address, options)
        while try plain.query(waiting) == [["1"]] { try later.endAbandonedCommits() }

        options.answer = .seconds(20)
        options.statement = .seconds(60)
        options.answer = .seconds(30)
        let cancelled = try ClusterConnection(address, options)
        let process = try cancelled.query("SELECT pg_backend_pid()")[0][0] ?? ""
        let canceller = try DedicatedThread("canceller") {
            guard let other = try? ClusterConnection(address) else { return }  // then the test fails by its time
            let wait =
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = \(process) AND wait_event = 'SyncRep'"
            while (try? other.query(wait))?.isEmpty == true { SystemClock.pauseBriefly() }
        }
        let error = thrown(ClusterError.self) {
            try cancelled.transaction { () throws(ClusterError) in try cancelled.execute("INSERT INTO t VALUES (2)") }
        }
        canceller.join()
        #expect(error?.kind == .unconfirmed, "\(String(describing: error))")
    }
}

extension SystemClock {
    fileprivate static func pauseBriefly() {
        let end = monotonic() + .milliseconds(10)
        while monotonic() < end {}
    }
}
