// SPDX-License-Identifier: Apache-2.0
import System

/// Removes what a box keeps, but for what makes it this box and what protects it from old orders.
///
/// A marker on the disk orders it. The next start of the service carries it out, before anything is read, and removes the
/// marker last. So whatever ends the service on the way, a later start goes on, and nothing that runs has what is removed.
///
/// - Thread: any that may wait for the disk.
public struct FactoryReset {
    /// The name of the marker in the state directory.
    public static let markerName = "factory-reset"

    /// What stays: the box's id, its key for TLS, the memories of signed orders and commands, which nothing may make forget,
    /// and the lock and the count of the start that carries it out.
    static let kept: Set = [
        "box-id", "certificate.pem", "group-commands.json", "lock", markerName, "push.json", StartCounter.name,
    ]

    /// What came of it.
    public struct Outcome: Equatable, Sendable {
        /// The names in the state directory that were removed.
        public var removed: [String]
        /// What could not be removed, the first of several; nil if it is done. The next start tries again.
        public var problem: SystemCallError?

        public init(removed: [String] = [], problem: SystemCallError? = nil) {
            self.removed = removed
            self.problem = problem
        }
    }

    private let directory: String
    /// Called before each change of the disk, with its path. Tests let it end the work there.
    var step: (String) throws(SystemCallError) -> Void = { _ in }

    /// - Parameter directory: in which the box keeps its state.
    public init(directory: String) { self.directory = directory }

    /// Carries it out if the marker is there. No other service may have the directory.
    /// - Returns: nil if it is not ordered.
    public func carryOut() -> Outcome? {
        let marker = "\(directory)/\(Self.markerName)"
        var outcome = Outcome()
        do throws(SystemCallError) {
            // An empty marker counts: whoever began to write one had confirmed it.
            guard try DurableFile.names(in: directory).contains(Self.markerName) else { return nil }
            for name in try DurableFile.names(in: directory).sorted() where !Self.kept.contains(name) {
                do throws(SystemCallError) {
                    try DurableFile.removeTree("\(directory)/\(name)", before: step)
                    outcome.removed.append(name)
                } catch {
                    // The rest is removed all the same.
                    outcome.problem = outcome.problem ?? error
                }
            }
            guard outcome.problem == nil else { return outcome }
            // Not before everything else is certainly gone.
            try step(directory)
            try DurableFile.flushDirectory(directory)
            try step(marker)
            try DurableFile.delete(marker)
            try DurableFile.flushDirectory(directory)
        } catch {
            outcome.problem = outcome.problem ?? error
        }
        return outcome
    }
}
