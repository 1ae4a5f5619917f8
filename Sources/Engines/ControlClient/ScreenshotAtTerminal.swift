// SPDX-License-Identifier: Apache-2.0
import Bytes
import Commands
import JSON
import Terminal
import Time
import Venue

/// The command `screenshot` where a person looks at its output.
enum ScreenshotAtTerminal {
    static let command = "screenshot"
    private static let usualColumns = 78

    /// Whether the request asks for a picture on standard output.
    static func concerns(_ request: CommandRequest, _ invocation: Invocation) -> Bool {
        guard request.command == command, !invocation.isJSON else { return false }
        return invocation.path("output").map { $0 == "-" } ?? true
    }

    /// Whether a file of PNG is asked for where there is only a terminal: it is sent through it, by ZMODEM.
    static func isSent(_ request: CommandRequest, _ invocation: Invocation) -> Bool {
        concerns(request, invocation) && request.text("as") == "png"
    }

    /// The name of such a file. Each has another, for the other end would take one of the same name for a part of this one.
    static func fileName(at now: WallTime) -> String {
        "screenshot-\(now.description.prefix { $0 != "." }.filter(\.isNumber)).png"
    }

    /// The request for a terminal: in blocks, or in ASCII if the terminal has none, as wide as it shows.
    static func request(
        _ request: CommandRequest, in catalogue: Catalogue, _ streams: ClientStreams
    ) throws -> CommandRequest {
        let form = request.text("as") ?? (streams.isPlain ? "ascii" : "blocks")
        guard form != "png" else {
            guard TerminalTransfer.canSend else {
                throw Status.failure(
                    .usage, "standard output is a terminal; expected --output PATH, or --as blocks, ascii or sixel")
            }
            return request
        }
        let columns = request.integer("columns") ?? Int64(max(20, min(usualColumns, streams.columns)))
        return try CommandRequest(
            command: command, arguments: ["as": .string(form), "columns": .integer(columns)], in: catalogue)
    }

    /// The octets of an answer's picture.
    /// - Throws: if there is none, or if its text would do more with a terminal than to show a picture.
    static func picture(of result: JSONValue) throws -> [UInt8] {
        if let text = result["text"]?.string {
            let octets = Array(text.utf8)
            guard TerminalPicture.isHarmless(octets) else {
                throw Status.failure(.failed, "the service sent a text that is no picture of a terminal")
            }
            return octets
        }
        guard let picture = result["png"]?.string.flatMap({ Base64.decode($0) }) else {
            throw Status.failure(.failed, "the service sent no picture")
        }
        return picture
    }
}
