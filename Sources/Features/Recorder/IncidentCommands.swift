// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Recording
import Shapes
import Venue

struct ListIncidents: Command {
    static let about = About(
        "incidents", "List the incidents that were recorded",
        help: "The newest is first. config/INCIDENTS.md says what is in their files.", form: .table, example: "",
        clientOptions: [.clientOption("names", .boolean, "Print ids only, one a line.")])
    static let shape = Shape<Self>()

    func run(on recorder: Recorder) throws(Status) -> IncidentList {
        IncidentList(incidents: recorder.incidents.map { IncidentRow(incident: $0) })
    }
}

struct IncidentList: Answer {
    let incidents: [IncidentRow]

    static let shape = Shape<Self>([.value("incidents", \.incidents, .list(of: .row), "each that is on the disk")])
}

struct IncidentRow: Answer {
    let incident: Incident

    static let shape = Shape<Self>([
        .value("id", \.incident.id, .text, "of the incident"),
        .value("time", \.incident.time, .text, "when it was recorded"),
        .value(
            "kind", \.incident.kind.rawValue, .choice(Incident.Kind.allCases.map(\.rawValue)),
            "service down, stall of playback, crash, output lost, or command"),
        .value("octets", \.incident.octets, .count, "of its file"),
    ])
}

struct RecordIncident: DeferredCommand {
    var note = ""

    static let about = About(
        "incident-record", "Keep what was recorded of the last seconds",
        help: "Answers when it is on the disk.", role: .operator)
    static let shape = Shape<Self>([
        .optionalArgument("note", \.note, .text(0...256), "What there is to say of it.")
    ])

    func run(on recorder: Recorder, _ reply: Reply<IncidentRow>) {
        recorder.freeze(.command, note.isEmpty ? "by hand" : note) { result in
            reply(result.map { IncidentRow(incident: $0) })
        }
    }
}

struct RemoveIncident: DeferredCommand {
    var id = ""

    static let about = About("incident-remove", "Remove an incident", role: .administrator)
    static let shape = Shape<Self>([
        .argument("id", \.id, .text(1...64), names: "incidents", "As incidents lists it.")
    ])

    func run(on recorder: Recorder, _ reply: Reply<Done>) { recorder.remove(id) { reply($0) } }
}

struct ReadIncident: DeferredCommand {
    var id = ""
    var offset = 0

    static let about = About(
        "incident-read", "Read a piece of an incident's file",
        help: """
            Pieces of at most 48 KiB, one after the other: the next one begins at next. Whoever was interrupted goes on \
            with the octets that are there. The first 256 KiB are of use by themselves.
            """, role: .administrator)
    static let shape = Shape<Self>([
        .argument("id", \.id, .text(1...64), names: "incidents", "As incidents lists it."),
        .optionalArgument("offset", \.offset, .integer(0...67_108_864), "Octets that are there already."),
    ])

    func run(on recorder: Recorder, _ reply: Reply<FilePiece>) {
        recorder.read(id) { [id, offset] file in
            reply(
                file.flatMap { file in
                    Result { () throws(Status) in try FilePiece(of: file, id, from: offset) }
                })
        }
    }
}
