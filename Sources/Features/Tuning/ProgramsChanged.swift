// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Venue

/// The event that the transport stream of a channel lists other programs than before.
struct ProgramsChanged: FeatureEvent {
    struct Row: Answer {
        let program: ListedProgram

        static let shape = Shape<Self>([
            .value("program", \.program.number, .integer, "program number"),
            .value("name", \.program.name, .optional(.text), "service name of the SDT, or null"),
            .value("provider", \.program.provider, .optional(.text), "of the service, or null"),
        ])
    }

    let id: String
    let channel: String
    let programs: [ListedProgram]

    private var rows: [Row] { programs.map { Row(program: $0) } }

    static let about = EventAbout(.channels, "programs", "The transport stream of a channel lists other programs.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"),
        .value("channel", \.channel, .text, "its name"),
        .value("programs", \.rows, .list(of: .row), "in the order of the PAT"),
    ])
}
