// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON

/// Commands of the client that fetch a whole file, which the service gives in pieces.
enum FileCommands {
    static let all = [incident]

    static let incident = CommandDescription(
        "incident-get", "Fetch the file of an incident",
        help: """
            With --output a call that was interrupted goes on where it ended: what is there already is kept beside PATH.
            Without it the file goes to standard output. At a terminal, as that of the serial console, it is sent by ZMODEM,
            which programs for serial lines take by themselves, and go on with what they have of it: minicom, picocom with
            rz, Tera Term. Five Ctrl-X end it. 256 KiB, the part that is of use by itself, take 23 s at 115,200 baud.
            """,
        fields: [
            .word("id", .text(1...64), isRequired: true, names: "incidents", "As incidents lists it."),
            .clientOption("output", .formatted(.file), "File to write; absent or -: standard output, or the terminal."),
            .clientOption("usb", .boolean, "Write it to the USB stick that is in the box."),
        ], isLocal: true)

    /// The request for a piece.
    static func piece(
        of request: CommandRequest, at offset: Int, in catalogue: Catalogue
    ) throws(CommandError) -> CommandRequest {
        let arguments = request.arguments.merging(patch: ["offset": .integer(Int64(offset))])
        return try CommandRequest(command: "incident-read", arguments: arguments, in: catalogue)
    }

    /// The name that a file has at the other end of a line.
    static func fileName(of request: CommandRequest) -> String { (request.text("id") ?? "incident") + ".tli" }
}
