// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes

/// Commands of the client that fetch a whole file, which the service gives in pieces.
struct FileCommand {
    private static let all = [incident, capture]
    static let descriptions: [CommandDescription] = all.map(\.description)

    let description: CommandDescription
    /// The command of the service that reads a piece.
    private let reader: String
    private let suffix: String

    /// - Returns: nil if the request is for none of them.
    init?(of request: CommandRequest) {
        guard let found = Self.all.first(where: { $0.description.name == request.command }) else { return nil }
        self = found
    }

    private init(
        _ name: String, _ summary: String, by reader: String, suffix: String, help: String = "",
        of fields: [FieldDescription] = []
    ) {
        (self.reader, self.suffix) = (reader, suffix)
        description = CommandDescription(
            name, summary, help: help + Self.help,
            fields: fields + [
                .clientOption(
                    "output", .formatted(.file), "File to write; absent or -: standard output, or the terminal."),
                .clientOption("usb", .boolean, "Write it to the USB stick that is in the box."),
            ], isLocal: true)
    }

    private static let help = """
        With --output a call that was interrupted goes on where it ended: what is there already is kept beside PATH. Without
        it the file goes to standard output. At a terminal, as that of the serial console, it is sent by ZMODEM, which
        programs for serial lines take by themselves, and go on with what they have of it: minicom, picocom with rz, Tera
        Term. Five Ctrl-X end it.
        """

    private static let incident = FileCommand(
        "incident-get", "Fetch the file of an incident", by: "incident-read", suffix: ".tli",
        help: "256 KiB, the part that is of use by itself, take 23 s at 115,200 baud.\n",
        of: [.word("id", .text(1...64), isRequired: true, names: "incidents", "As incidents lists it.")])

    private static let capture = FileCommand(
        "capture-get", "Fetch the file of captured frames", by: "capture-read", suffix: ".pcap",
        help: "A pcap, which Wireshark reads. A megabyte takes 93 s at 115,200 baud.\n")

    /// The request for a piece.
    func piece(
        of request: CommandRequest, at offset: Int, in catalogue: Catalogue
    ) throws(CommandError) -> CommandRequest {
        let arguments = request.arguments.merging(patch: ["offset": .integer(Int64(offset))])
        return try CommandRequest(command: reader, arguments: arguments, in: catalogue)
    }

    /// The name that the file has at the other end of a line.
    func fileName(of request: CommandRequest) -> String { (request.text("id") ?? "capture") + suffix }
}
