// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import Time

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
    /// What the start has made; nil if the disk is as it has to be. `SettingsRevisions.keep` writes it, once the box is
    /// known to be the only one that runs.
    public let made: Made?

    /// A revision that the start has made.
    public struct Made: Equatable, Sendable {
        public let revision: SettingsRevision
        /// The revisions that are kept, this one included.
        public let keeping: Set<Int>
        /// The octets of the file that has become the revision; nil if none has.
        public let imported: [UInt8]?
    }
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

    /// The number of starts in a row that showed nothing, after which the settings are given up for those of the image.
    public static let failedStartsLimit = 4

    /// Opens the newest document that is valid and confirmed. A box starts always: without any document it has the
    /// defaults.
    /// - Parameters:
    ///   - failedStarts: the number of starts before this one that showed nothing.
    ///   - wallTime: the time of revisions that the start makes, by RFC 3339.
    ///   - open: makes the store, or throws if the settings are not valid.
    public func open(
        failedStarts: Int = 0, wallTime: String = SystemClock.wall().description,
        _ open: @escaping (_ image: JSONValue, SettingsRevision, _ earlier: [SettingsRevision]) throws -> SettingsStore
    ) -> SettingsStart {
        var opening = SettingsOpening(kept: revisions.read(), wallTime: wallTime, open: open)
        opening.takeImage(from: image) { try Self.read(image)?.document }
        let known = revisions.imported
        let new = opening.openImported(from: imported) {
            try Self.read(imported).flatMap { $0.octets == known ? nil : $0 }
        }
        return new ?? opening.openImage(after: failedStarts) ?? opening.openNewest()
    }

    private static func read(_ path: String) throws -> (octets: [UInt8], document: JSONValue)? {
        guard let octets = try DurableFile.read(path) else { return nil }
        return (octets, try JSONValue.parse(octets, limits: limits))
    }
}
