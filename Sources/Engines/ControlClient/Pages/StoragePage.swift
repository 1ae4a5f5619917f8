// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import System

/// What the file systems of the box have room for.
enum StoragePage {
    static let name = "storage"
    private static let paths = ["/", "/var/lib/touchline", "/var/log", "/run", "/tmp"]

    static let description = CommandDescription.page(
        name, "Show what the file systems have room for", of: "fileSystems",
        [
            FieldDescription("path", .text(1...64), .required, "a directory of it"),
            FieldDescription("mebibytes", .integer(0...Int64.max), .required, "its size in MiB"),
            FieldDescription("free", .integer(0...Int64.max), .required, "what may still be written, MiB"),
            FieldDescription("state", .text(1...80), .required, "writable, read-only, or what is wrong"),
        ])

    static var answer: JSONValue {
        // Without it what only this program may not write is called read-only.
        let mounts = try? MountTable.own()
        return ["fileSystems": .array(paths.map { row(of: $0, mounts?.isReadOnly($0)) })]
    }

    private static func row(of path: String, _ isReadOnly: Bool?) -> JSONValue {
        do throws(SystemCallError) {
            let space = try FileSystemSpace(of: path)
            let state =
                isReadOnly ?? space.isReadOnly
                ? "read-only"
                : space.lacksInodes ? "full: no inode is left" : space.available == 0 ? "full" : "writable"
            return [
                "path": .string(path), "mebibytes": .integer(space.size >> 20), "free": .integer(space.available >> 20),
                "state": .string(state),
            ]
        } catch {
            return ["path": .string(path), "mebibytes": 0, "free": 0, "state": .string("\(error)")]
        }
    }
}
