// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import System
import Venue

/// The newest lines of the service's log, as journald keeps them.
enum LogPage {
    static let name = "log"
    private static let program = "/usr/bin/journalctl"
    private static let usual: Int64 = 100

    static let description = CommandDescription.page(
        name, "Show the newest lines of the log",
        help: "Of the service, the helper for the network and the console since power-on, the newest last.",
        fields: [
            .option("lines", .integer(1...5_000), "How many; absent: \(usual)."),
            .option("kernel", .boolean, "Those of the kernel instead: of drivers, disks and cables."),
        ], of: "lines",
        [FieldDescription("line", .text(0...8_192), .required, "the line")])

    static func answer(to request: CommandRequest) throws -> JSONValue {
        let count = request.integer("lines") ?? usual
        let isKernels = request.arguments["kernel"] == true
        let source = isKernels ? ["--dmesg"] : ["--unit=touchline*", "--unit=serial-getty@*"]
        let outcome = try SystemProgram.run(
            program,
            [
                "--boot", "--no-pager", "--quiet", "--no-hostname", "--output=short-iso", "--lines=\(count)",
            ] + source, keeping: 4 << 20, within: .seconds(20))
        guard outcome.code == 0 else {
            throw Status.failure(.failed, "\(program) ended with \(outcome.code); is this user in systemd-journal?")
        }
        let lines = outcome.output.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        return ["lines": .array(lines.map { ["line": .string($0)] })]
    }

    /// The lines as they are, without the form of a table.
    static func text(of answer: JSONValue) -> String {
        (answer["lines"]?.array ?? []).map { AnswerText.harmless($0["line"]?.string ?? "") + "\n" }.joined()
    }
}
