// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// A reporter with a database of its own.
final class ReporterScene {
    static let boxToken = "box-token-0123456789abcdef"
    static let operatorToken = "operator-token-0123456789"
    static let metricsToken = "metrics-token-0123456789abc"
    static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("sending_boxes.py").path

    private let venue: TestVenue
    private let port = Int.random(in: 20_000...29_999)
    private var reporter: ChildProcess?
    var url: String { "http://127.0.0.1:\(port)" }
    var database: String { venue.directory.file(folder + "\(name).db") }
    var acknowledged: String { venue.directory.file("acknowledged") }
    var configuration: String { venue.directory.file("\(name).json") }
    /// The region that it tells, from the next start on.
    var upstream: JSONValue?

    /// In front of its command.
    var entry: [String] = []

    /// The member `alerts` of the configuration.
    var alerts: JSONValue = .null

    private let folder: String
    private let name: String

    /// - Parameters:
    ///   - folder: of the database, in the venue's directory.
    ///   - name: of its files.
    init(_ venue: TestVenue, in folder: String? = nil, named name: String = "reports") {
        (self.venue, self.name) = (venue, name)
        self.folder = folder.map { $0 + "/" } ?? ""
    }

    /// - Parameters:
    ///   - isSimple: whether all boxes share a token, and all people.
    ///   - postgres: where reports, boxes and users are kept instead.
    func configure(isSimple: Bool = true, postgres: String? = nil) throws {
        var document: JSONValue = ["port": .integer(Int64(port)), "database": .string(database)]
        if isSimple {
            document = document.merging(patch: [
                "boxToken": .string(Self.boxToken), "operatorToken": .string(Self.operatorToken),
                "metricsToken": .string(Self.metricsToken),
            ])
        }
        if let postgres { document["postgres"] = .string(postgres) }
        if alerts != .null { document["alerts"] = alerts }
        if let upstream { document["upstream"] = upstream }
        try venue.directory.write(document.text(), to: "\(name).json")
    }

    func start(isSimple: Bool = true, postgres: String? = nil) async throws {
        try configure(isSimple: isSimple, postgres: postgres)
        reporter = try venue.start(
            entry + [try Programs.path("touchline-reporter"), "--config", configuration], name: "reporter")
        var health = ""
        let isThere = try await eventually(within: .seconds(20)) {
            health = try await text("health", "")
            return health.contains("true")
        }
        if !isThere { throw VenueError("the reporter is not healthy: \(health)\n\(reporter?.messages ?? "")") }
    }

    func kill() async throws {
        reporter?.signal(SIGKILL)
        _ = try await reporter?.exitCode(within: .seconds(5))
    }

    func check(_ path: String? = nil) async throws -> JSONValue {
        try JSONValue.parse(
            try await venue.succeed(["python3", Self.program, "check", path ?? database, acknowledged]).outputText)
    }

    func curl(
        _ path: String, _ token: String = operatorToken, _ words: String...
    ) async throws -> (code: Int, document: JSONValue) {
        try await curl(path, token, words)
    }

    func curl(_ path: String, _ token: String, _ words: [String]) async throws -> (code: Int, document: JSONValue) {
        let lines = try await text("v1/\(path)", token, ["-w", "\n%{http_code}"] + words).split(
            separator: "\n", omittingEmptySubsequences: false)
        return (Int(lines.last ?? "") ?? 0, (try? JSONValue.parse(lines.dropLast().joined(separator: "\n"))) ?? .null)
    }

    func text(_ path: String, _ token: String, _ words: [String] = []) async throws -> String {
        try await venue.run(
            ["curl", "-s", "-H", "Authorization: Bearer \(token)", "\(url)/\(path)"] + words
        ).outputText
    }
}
