// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System

/// The file `access.json` of the state directory. It lies beside the settings, so that a change of these leaves it.
///
/// - Thread: the control loop's thread only. It does not wait for the disk.
public final class CredentialStore {
    private let directory: String
    private let task: BackgroundTask
    private let problem = Problem()
    public private(set) var isBusy = false

    /// Takes what went wrong from the writing thread to the loop's.
    private final class Problem: Sendable {
        let text = Mutex<String?>(nil)
    }

    public init(directory: String, loop: EventLoop) throws(SystemCallError) {
        self.directory = directory
        task = try BackgroundTask(loop: loop)
    }

    public var path: String { directory + "/access.json" }

    /// What the file holds; none if there is no file.
    /// - Throws: what is wrong with the file.
    public func read() throws -> Credentials {
        guard let octets = try DurableFile.read(path, limit: Credentials.octetLimit) else { return Credentials() }
        return try Credentials(parsing: octets)
    }

    /// Writes the file. If power fails, it has the old content or the new one. No other write may be running.
    /// - Parameter done: is given nil when the file is on the disk, or why it is not.
    public func write(_ credentials: Credentials, _ done: @escaping (String?) -> Void) {
        precondition(!isBusy, "one write at a time")
        let (directory, path, octets, problem) = (directory, path, credentials.octets, problem)
        isBusy = true
        do {
            try task.run(
                "access",
                {
                    problem.text.withLock { text in
                        do throws(SystemCallError) {
                            try DurableFile.makeDirectory(directory)
                            try DurableFile.write(octets, to: path, mode: 0o600)
                            text = nil
                        } catch {
                            text = "\(error)"
                        }
                    }
                },
                then: { [weak self] in
                    self?.isBusy = false
                    done(problem.text.withLock { $0 })
                })
        } catch {
            isBusy = false
            done("\(error)")
        }
    }

    /// Waits for a write that has begun. Its end is not reported.
    public func stop() { task.stop() }
}
