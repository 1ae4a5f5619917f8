// SPDX-License-Identifier: Apache-2.0
import System

/// The file `access.json` of the state directory. It lies beside the settings, so that a change of these leaves it.
///
/// - Thread: the control loop's thread only. It does not wait for the disk.
public final class CredentialStore {
    private let file: KeptFile

    public init(directory: String, loop: EventLoop) throws(SystemCallError) {
        file = try KeptFile("access.json", in: directory, loop: loop)
    }

    public var path: String { file.path }

    /// Whether a write is running.
    public var isBusy: Bool { file.isBusy }

    /// What the file holds; none if there is no file.
    /// - Throws: what is wrong with the file.
    public func read() throws -> Credentials {
        guard let octets = try file.read(limit: Credentials.octetLimit) else { return Credentials() }
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
