// SPDX-License-Identifier: Apache-2.0
import JSON
import Synchronization
import System
import Time
import Venue

/// The revisions in a directory of their own: `1.json`, `2.json`, …, of which the newest are kept. Each holds
/// `{"revision":…,"time":…,"author":…,"comment":…,"settings":{…}}`, and one that is not confirmed
/// `"unconfirmed":{"returnTo":…,"startsLeft":…,"expected":[…]}` besides. `imported.json` is the last file that was
/// imported.
public final class SettingsRevisions: SettingsArchive {
    private static let limits = JSONLimits(maximumOctets: 1 << 20)

    let directory: String
    private let task: BackgroundTask
    private var staged: Int?

    public init(directory: String, loop: EventLoop) throws(SystemCallError) {
        self.directory = directory
        task = try BackgroundTask(loop: loop)
    }

    /// Waits for a write that has begun.
    public func stop() { task.stop() }

    // MARK: Changes

    public func stage(_ revision: SettingsRevision, _ done: @escaping (Status?) -> Void) {
        staged = revision.number
        let (directory, octets) = (directory, revision.fileOctets)
        run(done) { () throws(SystemCallError) in try Self.stage(octets, revision.number, in: directory) }
    }

    public func publish(keeping numbers: Set<Int>, _ done: @escaping (Status?) -> Void) {
        guard let number = staged else { preconditionFailure("nothing is staged") }
        let directory = directory
        run(done) { () throws(SystemCallError) in try Self.publish(number, in: directory, keeping: numbers) }
    }

    public func abandon() {
        guard let staged else { return }
        let path = Self.path(staged, in: directory)
        DurableFile.abandon(path)
        DurableFile.remove(path)  // a publication that failed may have put it in place
        self.staged = nil
    }

    private func run(
        _ done: @escaping (Status?) -> Void, _ write: @escaping @Sendable () throws(SystemCallError) -> Void
    ) {
        let outcome = LatestOutcome()
        do {
            try task.run("settings", { outcome.note(write) }, then: { done(outcome.problem) })
        } catch {
            done(.failure(.failed, "\(error)"))
        }
    }

    // MARK: Start

    /// What the directory holds.
    public struct Kept: Sendable {
        /// The newest first.
        public var revisions: [SettingsRevision] = []
        /// Files that hold no revision, and why.
        public var problems: [SettingsRefusal] = []
        /// The highest number of a file; 0 if there is none.
        public var lastNumber = 0
    }

    public func read() -> Kept {
        var kept = Kept()
        let names: [String]
        do {
            names = try DurableFile.names(in: directory)
        } catch {
            kept.problems = [SettingsRefusal(source: directory, why: "\(error)")]
            return kept
        }
        kept.lastNumber = names.compactMap(Self.number).max() ?? 0
        for number in names.compactMap(Self.number).sorted(by: >) {
            let path = Self.path(number, in: directory)
            do {
                kept.revisions.append(try Self.revision(number, at: path))
            } catch {
                kept.problems.append(SettingsRefusal(source: path, why: "\(error)"))
            }
        }
        return kept
    }

    /// Removes the temporary files of changes that were cut off. No other box may be running in this directory.
    public func removeUnpublished() {
        try? DurableFile.abandonAll(in: directory)  // unreadable: among the problems of `read`
    }

    /// Writes a revision that the start has made, at once.
    public func keep(_ made: SettingsStart.Made) throws(SystemCallError) {
        let revision = made.revision
        try Self.stage(revision.fileOctets, revision.number, in: directory)
        try Self.publish(revision.number, in: directory, keeping: made.keeping)
        // The octets tell the next start that the file is known.
        guard let imported = made.imported else { return }
        try DurableFile.write(imported, to: directory + "/imported.json", mode: 0o600)
    }

    /// The octets of the file that was imported last; nil if none was.
    public var imported: [UInt8]? {
        try? DurableFile.read(directory + "/imported.json")  // unreadable: the file is imported once more
    }

    // MARK: Files

    private static func stage(_ octets: [UInt8], _ number: Int, in directory: String) throws(SystemCallError) {
        try DurableFile.makeDirectory(directory, mode: 0o700)
        try DurableFile.stage(octets, for: path(number, in: directory), mode: 0o600)
    }

    private static func publish(
        _ number: Int, in directory: String, keeping numbers: Set<Int>
    ) throws(SystemCallError) {
        try DurableFile.publish(path(number, in: directory))
        for old in try DurableFile.names(in: directory).compactMap(Self.number) where !numbers.contains(old) {
            DurableFile.remove(path(old, in: directory))
        }
    }

    private static func path(_ number: Int, in directory: String) -> String { "\(directory)/\(number).json" }

    private static func number(of name: String) -> Int? {
        guard name.hasSuffix(".json"), let number = Int(name.dropLast(5)), number > 0 else { return nil }
        return "\(number).json" == name ? number : nil
    }

    private static func revision(_ number: Int, at path: String) throws -> SettingsRevision {
        guard let octets = try DurableFile.read(path) else { throw Status.failure(.failed, "it is gone") }
        return try SettingsRevision(number: number, file: try JSONValue.parse(octets, limits: limits))
    }
}

/// Takes the outcome of a write from its thread to the loop's.
private final class LatestOutcome: Sendable {
    private let status = Mutex<Status?>(nil)

    var problem: Status? { status.withLock { $0 } }

    func note(_ write: () throws(SystemCallError) -> Void) {
        do throws(SystemCallError) {
            try write()
        } catch {
            status.withLock { $0 = .failure(.failed, "\(error)") }
        }
    }
}
