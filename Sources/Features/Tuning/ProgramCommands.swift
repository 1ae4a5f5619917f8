// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import LineUp
import Shapes
import Venue

struct ChooseProgram: Command {
    /// nil for the program of the channel.
    var program: ProgramChoice?
    var region: String?

    static let about = About(
        "program", "Choose the program of the channel", help: "Until another channel is tuned.", role: .operator)
    static let shape = Shape<Self>([
        .argument(
            "program", \.program, .programOrDefault, names: "programs",
            "Number or SDT name, or default: that of the channel."), .region(\.region),
    ])

    func run(on tuning: Tuning) throws(Status) -> Done {
        let (region, session) = try tuning.playing(in: region)
        guard let channel = session.source.channel else {
            throw .failure(.failed, "'\(session.name)' is a file: expected a channel, for 'program'")
        }
        if let program { try tuning.check(program, of: channel) }
        tuning.regions.control(.selectProgram(program ?? channel.program), in: region)
        return Done()
    }
}

extension Codec where Value == ProgramChoice? {
    private static let form = ValueKind.textOr(1...256, .integer(1...65_535))

    /// A number or a name; absent for nil.
    static var program: Codec { Codec(form, decode: { read($0).map { .some($0) } }, encode: write) }

    /// A number or a name; `default` stands for nil.
    static var programOrDefault: Codec {
        Codec(
            form, decode: { $0 == "default" ? .some(nil) : read($0).map { .some($0) } },
            encode: { $0 == nil ? "default" : write($0) })
    }

    @Sendable private static func read(_ value: JSONValue) -> ProgramChoice? {
        value.integer.map { .number(UInt16(clamping: $0)) } ?? value.string.map { .name($0) }
    }

    @Sendable private static func write(_ program: ProgramChoice?) -> JSONValue {
        switch program {
        case nil: .null
        case .number(let number)?: .integer(Int64(number))
        case .name(let name)?: .string(name)
        }
    }
}

struct ListPrograms: Command {
    var channel: String?

    static let about = About(
        "programs", "List the programs of transport streams",
        help: """
            Of the channels that play or have played, as PAT and SDT listed them last. A program is tuned by its name, or \
            by 'tune CHANNEL --program'.
            """, example: "", clientOptions: [.clientOption("names", .boolean, "Print names only, one a line.")])
    static let shape = Shape<Self>([
        .optionalArgument(
            "channel", \.channel, .absentOr(.text(1...128)), names: "channels",
            "Name, id or number; absent: all that were received.")
    ])

    func run(on tuning: Tuning) throws(Status) -> ProgramList {
        ProgramList(programs: try tuning.programRows(of: channel))
    }
}

struct ProgramList: Answer {
    let programs: [ProgramRow]

    static let shape = Shape<Self>([
        .value("programs", \.programs, .list(of: .row), "in the order of the line-up, then of the PAT")
    ])
}

struct ProgramRow: Answer {
    let entry: ListedChannel
    let program: ListedProgram
    let isPlayed: Bool

    static let shape = Shape<Self>([
        .value("channel", \.entry.name, .text, "name of the channel"),
        .value("program", \.program.number, .integer, "program number"),
        .value("name", \.program.name, .optional(.text), "service name of the SDT, or null"),
        .value("provider", \.program.provider, .optional(.text), "of the service, or null"),
        .value("isPlayed", \.isPlayed, .boolean, "whether it is shown or heard"),
        .detail("id", \.entry.id.text, .text, "of the channel"),
    ])
}
