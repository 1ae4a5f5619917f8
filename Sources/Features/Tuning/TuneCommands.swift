// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct Tune: Command {
    var channel = ""
    var program: ProgramChoice?
    var region: String?

    static let about = About(
        "tune", "Play a channel", help: "Leaves the channel that plays. Returns when the channel is being joined.",
        role: .operator)
    static let shape = Shape<Self>([
        .argument(
            "channel", \.channel, .text(1...128), names: "channels",
            "Name of a channel or playlist; or else its id, its number, or the name of a program."),
        .option(
            "program", \.program, .program, names: "programs",
            "Number or SDT name of the program; absent: that of the channel."),
        .region(\.region),
    ])

    func run(on tuning: Tuning) throws(Status) -> TunedChannel {
        let region = try tuning.regions.addressed(region: region)
        let found = try tuning.tunable(channel)
        try tuning.tune(found.entry, program: program ?? found.program, in: region)
        return TunedChannel(found.entry)
    }
}

struct ChannelUp: Command {
    var region: String?

    static let about = About(
        "channel-up", "Play the next channel of the list",
        help: "Hidden ones are passed by; the first follows the last.", role: .operator)
    static let shape = Shape<Self>([.region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> TunedChannel {
        TunedChannel(try tuning.zap(.up, in: tuning.regions.addressed(region: region)))
    }
}

struct ChannelDown: Command {
    var region: String?

    static let about = About(
        "channel-down", "Play the previous channel of the list",
        help: "Hidden ones are passed by; the last follows the first.", role: .operator)
    static let shape = Shape<Self>([.region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> TunedChannel {
        TunedChannel(try tuning.zap(.down, in: tuning.regions.addressed(region: region)))
    }
}

struct Stop: Command {
    var region: String?

    static let about = About("stop", "Stop playing and show the slate", role: .operator, example: "")
    static let shape = Shape<Self>([.region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> Done {
        tuning.regions.stop(try tuning.regions.addressed(region: region))
        return Done()
    }
}

struct TunedChannel: Answer {
    let channel: String
    let number: Int

    init(_ entry: ListedChannel) {
        channel = entry.name
        number = entry.number
    }

    static let shape = Shape<Self>([
        .value("channel", \.channel, .text, "the channel's name"),
        .value("number", \.number, .integer, "its logical number"),
    ])
}
