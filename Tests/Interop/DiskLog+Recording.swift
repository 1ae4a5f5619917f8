// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

extension DiskLog {
    /// Runs the service, asks it for changes, kills it, and gives what it did to its state directory.
    /// - Parameters:
    ///   - settings: of the image, in addition to those that keep the service off the network.
    ///   - folder: the part of the state directory that is wanted, such as `/settings`; "" for all of it.
    static func recording(
        with settings: JSONValue = [:], below folder: String = "", in venue: TestVenue,
        _ change: (ControlSocket) throws -> Void
    ) async throws -> DiskLog {
        let (state, trace) = (venue.directory.file("state"), venue.directory.file("trace"))
        let quiet: JSONValue = ["http": ["isEnabled": false], "announcements": ["groups": []]]
        let image = try venue.directory.write(quiet.merging(patch: settings).text(), to: "image")
        let (process, socket) = try await venue.service(image: image, state: state, through: strace(to: trace))
        try change(socket)
        process.signal(SIGKILL)
        _ = try await process.exitCode(within: .seconds(5))
        var text = ""
        _ = try await eventually(within: .seconds(5)) {
            text = try String(contentsOfFile: trace, encoding: .utf8)
            return text.contains("killed by SIGKILL")
        }
        // strace is behind the program: what it saw last may not be there, which is another cut.
        return try DiskLog(text, below: state + folder)
    }
}
