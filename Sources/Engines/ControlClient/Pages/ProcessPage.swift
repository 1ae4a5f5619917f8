// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import System
import Venue

/// The processes of the box that have used the processor, those that used it most first.
enum ProcessPage {
    static let name = "processes"
    private static let limit = 40

    static let description = CommandDescription.page(
        name, "Show which processes use the processor and the memory", of: "processes",
        [
            FieldDescription("process", .integer(1...Int64.max), .required, "its number"),
            FieldDescription("name", .text(0...64), .required, "its program"),
            FieldDescription("state", .text(1...1), .required, "R runs, S sleeps, D waits for a device, Z has ended"),
            FieldDescription("seconds", .integer(0...Int64.max), .required, "of the processor since it started"),
            FieldDescription("mebibytes", .integer(0...Int64.max), .required, "of memory that it has"),
        ])

    static func rows() throws -> [JSONValue] {
        let processes = try RunningProcess.all().sorted { $0.processorTime > $1.processorTime }
        return processes.prefix(limit).map { process in
            [
                "process": .integer(Int64(process.number)), "name": .string(process.name),
                "state": .string(String(process.state)), "seconds": .integer(process.processorTime.seconds),
                "mebibytes": .integer(process.residentOctets >> 20),
            ]
        }
    }
}
