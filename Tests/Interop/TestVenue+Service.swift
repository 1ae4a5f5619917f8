// SPDX-License-Identifier: Apache-2.0
import Foundation

extension TestVenue {
    /// Starts the service, which has no installed file of settings, and waits until it listens.
    /// - Parameters:
    ///   - image: path of the image's settings.
    ///   - state: path of the state directory.
    ///   - entry: in front of its command.
    func service(
        image: String, state: String, through entry: [String] = []
    ) async throws -> (process: ChildProcess, socket: ControlSocket) {
        let path = directory.file("s-\(UInt32.random(in: 0 ... .max))")
        let command = [
            try Programs.path("touchlined"), "--image", image, "--config", directory.file("none"), "--state", state,
            "--socket", path,
        ]
        let process = try start(entry + command, name: "service")
        var opened: ControlSocket?
        _ = try await eventually(within: .seconds(20)) {
            guard process.isRunning else { throw VenueError("the service ended: \(process.messages)") }
            opened = try? ControlSocket(path)  // refused until the service listens
            return opened != nil
        }
        guard let opened else { throw VenueError("the service does not listen") }
        return (process, opened)
    }
}
