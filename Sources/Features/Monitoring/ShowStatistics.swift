// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import Venue

struct ShowStatistics: Command {
    var isOfSession = false
    var describes = false
    var region: String?

    static let about = About(
        "stats", "Show the counters", help: "The names are stable; a counter that does not apply is absent.",
        form: .dictionary, example: "")
    static let shape = Shape<Self>([
        .option("session", \.isOfSession, .boolean, "Only those of the reference, of what plays in the region."),
        .option("describe", \.describes, .boolean, "What each counts, in which unit, instead of its value."),
        .option(
            "region", \.region, .absentOr(.text(1...32)), names: "regions",
            "Of the stage, whose session is meant; absent: main."),
    ])

    func run(on monitoring: Monitoring) throws(Status) -> StatisticsAnswer {
        let (reference, all) = (try monitoring.reference(of: region), try monitoring.all(of: region))
        return StatisticsAnswer(stats: describes ? monitoring.descriptions : isOfSession ? reference : all)
    }
}

struct StatisticsAnswer: Answer {
    let stats: JSONValue

    static let shape = Shape<Self>([
        .value("stats", \.stats, .anything, "value by name, in groups by engine")
    ])
}
