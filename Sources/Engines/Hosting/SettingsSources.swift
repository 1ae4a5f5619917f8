// SPDX-License-Identifier: Apache-2.0
import JSON
import System

/// A document that was passed over when the box started.
public struct SettingsRefusal: Equatable, Sendable {
    /// The path of its file.
    public let source: String
    public let why: String

    public init(source: String, why: String) {
        self.source = source
        self.why = why
    }
}

/// The settings with which a box starts.
public struct SettingsStart {
    public let store: SettingsStore
    /// What was passed over.
    public let refusals: [SettingsRefusal]
    /// The revision that an installed file has become; nil if it is on the disk already. `SettingsRevisions.keep` writes
    /// it, once the box is known to be the only one that runs.
    public let imported: (revision: SettingsRevision, octets: [UInt8])?
}

/// The documents with which a box may start.
public struct SettingsSources {
    /// The path of the image's settings; the file need not exist.
    public let image: String
    /// The path of a file that becomes a revision when it is new or has changed; it need not exist.
    public let imported: String
    public let revisions: SettingsRevisions

    public init(image: String, imported: String, revisions: SettingsRevisions) {
        self.image = image
        self.imported = imported
        self.revisions = revisions
    }

    private static let limits = JSONLimits(maximumOctets: 256 << 10)

    /// Opens the newest document that is valid. A box starts always: without any document it has the defaults.
    /// - Parameter open: makes the store, or throws if the settings are not valid.
    public func open(_ open: (_ image: JSONValue, SettingsRevision) throws -> SettingsStore) -> SettingsStart {
        var refusals: [SettingsRefusal] = []
        @discardableResult
        func attempt<T>(_ source: String, _ body: () throws -> T?) -> T? {
            do {
                return try body()
            } catch {
                refusals.append(SettingsRefusal(source: source, why: "\(error)"))
                return nil
            }
        }
        var image: JSONValue = [:]
        attempt(self.image) {
            guard let document = try Self.read(self.image)?.document else { return }
            _ = try open(document, .none)
            image = document
        }
        let kept = revisions.read()
        refusals += kept.problems
        let new = attempt(imported) { () throws -> SettingsStart? in
            guard let (octets, document) = try Self.read(imported), octets != revisions.imported else { return nil }
            let revision = SettingsRevision(number: kept.lastNumber + 1, author: imported, document: document)
            return SettingsStart(
                store: try open(image, revision), refusals: refusals, imported: (revision, octets))
        }
        if let new { return new }
        for revision in kept.revisions {
            if let store = attempt("revision \(revision.number)", { try open(image, revision) }) {
                return SettingsStart(store: store, refusals: refusals, imported: nil)
            }
        }
        guard let store = attempt("defaults", { try open(image, .none) }) else {
            preconditionFailure("the defaults of the settings are not valid")
        }
        return SettingsStart(store: store, refusals: refusals, imported: nil)
    }

    private static func read(_ path: String) throws -> (octets: [UInt8], document: JSONValue)? {
        guard let octets = try DurableFile.read(path) else { return nil }
        return (octets, try JSONValue.parse(octets, limits: limits))
    }
}
