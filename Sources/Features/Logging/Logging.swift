// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import Shapes
import Venue

/// The feature that changes how much the box logs (SVM-08). Settings give the levels at start, and again
/// whenever they change.
public final class Logging: Feature {
    public static let summary = "how much is logged: the command `log-level`"

    public static var commands: [Handler<Logging>] { [Handler(SetLogLevel.self)] }

    private let journal: Journal

    public init(_ context: FeatureContext) throws(Status) {
        journal = context.journal
        context.settings.follow(["log"]) { [journal] new, _ in
            journal.levels = Journal.Levels(level: new.log.level, subsystems: new.log.subsystems)
        }
    }

    /// Sets a level until the service ends.
    /// - Parameter subsystem: nil for all subsystems that have no level of their own.
    /// - Returns: the levels that are now in effect.
    /// - Throws: a failure that names the subsystems, if there is none of this name.
    func set(_ level: LogLevel, of subsystem: String?) throws(Status) -> Journal.Levels {
        if let subsystem {
            let known = journal.subsystems
            guard known.contains(subsystem) else {
                let expected = known.joined(separator: ", ")
                throw .failure(.failed, "subsystem '\(subsystem)' is not there: expected one of \(expected)")
            }
            journal.levels.subsystems[subsystem] = level
        } else {
            journal.levels.level = level
        }
        return journal.levels
    }
}

struct SetLogLevel: Command {
    var subsystem: String?
    var level = LogLevel.info

    static let about = About(
        "log-level", "Set how much is logged", help: "Until the service ends; settings decide at its start.",
        role: .administrator, example: "info")
    static let shape = Shape<Self>([
        .optionalArgument(
            "subsystem", \.subsystem, .absentOr(.text(1...32)), "Absent: all that have none of their own."),
        .argument("level", \.level, .choice, "Each shows all that follow it."),
    ])

    func run(on logging: Logging) throws(Status) -> LogLevels {
        let levels = try logging.set(level, of: subsystem)
        return LogLevels(level: levels.level, subsystems: levels.subsystems)
    }
}

struct LogLevels: Answer {
    let level: LogLevel
    let subsystems: [String: LogLevel]

    static let shape = Shape<Self>([
        .value("level", \.level, .choice, "of subsystems that have none of their own"),
        .value("subsystems", \.subsystems, .map(of: .choice), "level by subsystem"),
    ])
}
