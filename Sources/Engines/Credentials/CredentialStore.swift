// SPDX-License-Identifier: Apache-2.0
import System

/// The file `access.json` of the state directory. It lies beside the settings, so that a change of these leaves it. The
/// group of the service may read it: its console knows people by it while the service does not answer.
///
/// - Thread: the control loop's thread only. It does not wait for the disk.
public final class CredentialStore {
    private static let name = "access.json"

    private let file: KeptFile

    public init(directory: String, loop: EventLoop) throws(SystemCallError) {
        file = try KeptFile(Self.name, in: directory, mode: 0o640, loop: loop)
    }

    public var path: String { file.path }

    /// Whether a write is running.
    public var isBusy: Bool { file.isBusy }

    /// What the file holds; none if there is no file.
    /// - Throws: what is wrong with the file.
    public func read() throws -> Credentials { try Self.read(file.path) }

    /// What the file in a state directory holds, for a process that is not the service; see `read`.
    public static func read(in directory: String) throws -> Credentials { try read("\(directory)/\(name)") }

    private static func read(_ path: String) throws -> Credentials {
        guard let octets = try DurableFile.read(path, limit: Credentials.octetLimit) else { return Credentials() }
        return try Credentials(parsing: octets)
    }

    /// Writes the file. If power fails, it has the old content or the new one. No other write may be running.
    /// - Parameter done: is given nil when the file is on the disk, or why it is not.
    public func write(_ credentials: Credentials, _ done: @escaping (String?) -> Void) {
        file.write(credentials.octets, done)
    }

    /// Waits for a write that has begun. Its end is not reported.
    public func stop() { file.stop() }
}
