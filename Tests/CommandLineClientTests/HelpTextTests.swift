// SPDX-License-Identifier: Apache-2.0
import Commands
import Rendering
import Testing

struct HelpTextTests {
    @Test func overviewListsEverything() {
        let text = HelpText.overview(of: catalogue)
        let start = "Usage: touchline [--socket PATH] [--json] COMMAND …\n\nCommands:\n  status           Show"
        #expect(text.hasPrefix(start))
        for command in catalogue.commands { #expect(text.contains("\n  \(command.name) ")) }
        #expect(text.contains("\n  --socket PATH  Control socket of the service.\n"))
    }

    @Test func pageOfTune() throws {
        #expect(
            HelpText.page(of: try catalogue.command(named: "tune")) == """
                Usage: touchline tune [--program PROGRAM] [--region REGION] CHANNEL

                Play a channel.
                Leaves the channel that plays. Returns when the channel is being joined.

                Arguments:
                  CHANNEL  Name of a channel or playlist; or else its id, its number, or the
                           name of a program.

                Options:
                  --program PROGRAM  Number or SDT name of the program; absent: that of the
                                     channel.
                  --region REGION    Of the stage; absent: main.

                Result:
                  channel  the channel's name
                  number   its logical number

                """)
    }

    @Test func pageOfEvents() throws {
        #expect(
            HelpText.page(of: try catalogue.command(named: "events")) == """
                Usage: touchline events [--follow] [--since N] [--run RUN] [--long]

                Show what happened.
                Without options: the events that the box still has. With --follow: the last
                event of each type, then every event as it happens, until interrupted. Whoever
                reads too slowly loses the oldest and is told how many.

                Options:
                  --follow   Go on with every new event.
                  --since N  Only events after this sequence.
                  --run RUN  The run that --since is of; of another one all events are new.
                  --long     Print every detail, uncut.

                Result:
                  events   each with sequence, time, type and payload
                  dropped  events after --since that the box no longer has
                  next     sequence of the next event
                  run      of the service, whose sequences began at 1; each start is another

                """)
    }

    @Test func everyPageFitsAndNamesEverything() {
        for command in catalogue.commands {
            let page = HelpText.page(of: command)
            #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command.name)")
            for parameter in command.arguments { #expect(page.contains(parameter.placeholder)) }
            for option in command.options { #expect(page.contains(option.optionWord)) }
        }
    }

    @Test func everyCommandIsDescribedOnce() {
        let names = catalogue.commands.map(\.name)
        #expect(Set(names).count == names.count)
        for command in catalogue.commands {
            let parameters = (command.arguments + command.options + Catalogue.commonOptions).map(\.name)
            #expect(Set(parameters).count == parameters.count, "\(command.name)")
            #expect(!command.summary.hasSuffix("."))
            #expect((command.arguments + command.options).allSatisfy { $0.help.hasSuffix(".") }, "\(command.name)")
        }
    }
}
