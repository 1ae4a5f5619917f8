// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// The command that `Dispatcher` answers itself, from the `EventLog`.
    static let events = CommandDescription(
        "events", "Show what happened",
        help: """
            Without options: the events that the box still has. With --follow: the last event of each type, then every
            event as it happens, until interrupted. Whoever reads too slowly loses the oldest and is told how many.
            """,
        fields: [
            .option("follow", .boolean, "Go on with every new event."),
            .option("since", .integer(0...Int64.max), "Only events after this sequence."),
            .option("run", .text(1...64), "The run that --since is of; of another one all events are new."),
        ],
        answer: AnswerDescription(
            .events,
            [
                FieldDescription(
                    "events", .list(of: .anything, 0...Int.max), .required,
                    "each with sequence, time, type and payload"),
                FieldDescription(
                    "dropped", .integer(0...Int64.max), .required, "events after --since that the box no longer has"),
                FieldDescription("next", .integer(1...Int64.max), .required, "sequence of the next event"),
                FieldDescription(
                    "run", .text(1...64), .required, "of the service, whose sequences began at 1; each start is another"
                ),
            ]), streamArgument: "follow")
}
