// SPDX-License-Identifier: Apache-2.0
import Collecting
import JSON
import Shapes
import System
import Venue

/// The options of the reporter's command line; everything else is in the configuration.
public struct ReporterOptions: Equatable, Sendable {
    public var configuration: String

    public static let usage = """
        usage: touchline-reporter --config FILE [--check | --backup FILE]
               touchline-reporter --config FILE init [NAME]
               touchline-reporter --config FILE user add NAME --role ROLE [--days N]
               touchline-reporter --config FILE user list
               touchline-reporter --config FILE user remove NAME
               touchline-reporter simulate --boxes N --token-file FILE [OPTION...]

        Gives boxes the orders that they are to have, in waves, and keeps what they report. config/PULL.md and
        config/REPORTS.md describe the configuration and the requests. With `simulate` it is thousands of boxes instead
        that report to a reporter; see touchline-reporter simulate --help.

          --config FILE   where it listens, its database and its tokens; readable by its owner alone
          --check         read the configuration, say what is wrong with it, and do nothing
          --backup FILE   copy the database into a new file, while the reporter runs or not, and check the copy
          init            make the first administrator and print the token; only where there are no users
          user            make a user and print the token, list users, or remove one, while the reporter runs or not
          --role ROLE     viewer, operator or administrator
          --days N        for how long the token counts; without it for ever
          --version       print the version
          --help          print this

        """

    public enum Parsed: Equatable, Sendable {
        case run(ReporterOptions)
        case check(ReporterOptions)
        case backUp(ReporterOptions, to: String)
        case users(ReporterOptions, ReporterUsers.Action)
        case printHelp
        case printVersion
        /// What is wrong with the command line; exit code 2.
        case refuse(String)
    }

    /// - Parameter words: the words after the program's name.
    public static func parse(_ words: [String]) -> Parsed {
        var values: [String: String] = [:]
        var isCheck = false
        var names: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .printHelp
            case "--version": return .printVersion
            case "--check": isCheck = true
            case "--config", "--backup", "--role", "--days":
                guard let value = rest.popFirst() else { return .refuse("\(word) needs a value") }
                values[word] = value
            case _ where !word.hasPrefix("-"): names.append(word)
            default:
                return .refuse(
                    "'\(word)' is no option: expected --config, --check, --backup, --role, --days, --version or --help")
            }
        }
        if names.isEmpty, let other = ["--role", "--days"].first(where: { values[$0] != nil }) {
            return .refuse("\(other) is for 'user add' alone")
        }
        if let first = names.first, !["init", "user"].contains(first) {
            return .refuse("'\(first)' is no command: expected init, user, or none, and --config FILE")
        }
        guard let configuration = values["--config"] else { return .refuse("--config FILE is missing") }
        let options = ReporterOptions(configuration: configuration)
        if !names.isEmpty {
            guard !isCheck, values["--backup"] == nil else {
                return .refuse("'\(names[0])' stands without --check and --backup")
            }
            do throws(Status) {
                return .users(options, try ReporterUsers.Action(names, values["--role"], days: values["--days"]))
            } catch {
                return .refuse(error.errorString)
            }
        }
        if let backup = values["--backup"] { return .backUp(options, to: backup) }
        return isCheck ? .check(options) : .run(options)
    }
}

/// Where the reporter listens, what it keeps, and by which tokens it knows boxes and operators.
public struct ReporterConfiguration: Record, Equatable {
    public var port: UInt16 = 8_090
    public var database = "/var/lib/touchline-reporter/reporter.db"
    /// Where reports are kept instead, as libpq has it; nil: in `database`, with everything else.
    public var postgres: String?
    /// nil: each box has a credential of its own.
    public var boxToken: String?
    /// nil: each person has a token of their own.
    public var operatorToken: String?
    /// nil: metrics are read with the operators' token.
    public var metricsToken: String?
    /// How long reports are kept with their texts, hours.
    public var rawHours: Int64 = 72
    public var minuteDays: Int64 = 30
    public var hourDays: Int64 = 730
    public var alerts = AlertConfiguration()
    /// The region that is told; nil: none.
    public var upstream: UpstreamConfiguration?

    public init() {}

    private static let token = TextFormat(
        "a token of 24 to 512 characters without spaces", schema: ["pattern": "^[!-~]{24,512}$"]
    ) { text in (24...512).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } }

    private static let secrets = ["/boxToken", "/operatorToken", "/metricsToken", "/postgres", "/upstream/token"]

    /// A password is better kept in a file that `passfile` names.
    private static let address = TextFormat(
        "an address of PostgreSQL, as \"host=a,b,c dbname=touchline user=touchline\"", schema: ["maxLength": 4_096]
    ) { text in text.utf8.count <= 4_096 && ReportStore.isPostgresAddress(text) }

    public static let shape = Shape<Self>([
        .member("port", \.port, .integer(0...65_535), "On the loopback addresses, behind a proxy for TLS; 0: any."),
        .member("database", \.database, .text(1...4_096), "File of SQLite, which is made if it is missing."),
        .member(
            "postgres", \.postgres, .optional(.formatted(address)),
            "Where reports are kept instead: a cluster of PostgreSQL, as libpq has it."),
        .member(
            "boxToken", \.boxToken, .optional(.formatted(token)), "What all boxes send; without it each enrols."),
        .member(
            "operatorToken", \.operatorToken, .optional(.formatted(token)),
            "What people and their tools send; without it each user has a token."),
        .member("metricsToken", \.metricsToken, .optional(.formatted(token)), "What a collector of metrics sends."),
        .member("rawHours", \.rawHours, .integer(24...8_760), "How long reports are kept with their texts."),
        .member("minuteDays", \.minuteDays, .integer(1...366), "How long sums over minutes are kept."),
        .member("hourDays", \.hourDays, .integer(1...3_660), "How long sums over hours are kept."),
        .group("alerts", \.alerts, "When somebody is told that boxes are not as they should be, and who."),
        .member(
            "upstream", \.upstream, .optional(.record), "The reporter of a region that is told how this venue is."),
    ])

    /// - Throws: code 78 with each field, its value and what was expected.
    public init(path: String) throws(Status) {
        let octets: [UInt8]
        do {
            guard let read = try DurableFile.read(path, limit: 64 << 10) else {
                throw Status.failure(.configuration, "\(path): there is no such file")
            }
            octets = read
        } catch let status as Status {
            throw status
        } catch {
            throw .failure(.configuration, "\(path): \(error)")
        }
        try self.init(octets, of: path)
    }

    init(_ octets: [UInt8], of path: String) throws(Status) {
        let document: JSONValue
        do {
            document = try JSONValue.parse(octets, limits: JSONLimits(maximumDepth: 8))
        } catch {
            throw .failure(.configuration, "\(path): \(error)")
        }
        var problems = Self.kind.problems(of: document).map { problem in
            // A token, or an address with a password, stands in no message.
            (Self.secrets + AlertConfiguration.secrets).contains(problem.path)
                ? "\(Problem(path: problem.path, expectation: problem.expectation))" : "\(problem)"
        }
        if document["boxToken"] == document["operatorToken"], document["boxToken"] != nil {
            problems.append("/operatorToken: expected another than /boxToken")
        }
        if let token = document["metricsToken"], [document["boxToken"], document["operatorToken"]].contains(token) {
            problems.append("/metricsToken: expected another than /boxToken and /operatorToken")
        }
        if problems.isEmpty { problems += AlertConfiguration.problems(of: document["alerts"]).map(\.description) }
        if problems.isEmpty, let upstream = Self(reading: document).upstream {
            problems += upstream.problems.map {
                "\(Problem(path: "/upstream" + $0.path, value: $0.value, expectation: $0.expectation))"
            }
        }
        guard problems.isEmpty else {
            throw .failure(.configuration, "\(path): \(problems.joined(separator: "; "))")
        }
        self.init(reading: document)
    }
}
