// SPDX-License-Identifier: Apache-2.0
import JSON

/// The search for the document with which a box starts.
struct SettingsOpening {
    /// The number of starts in a row that showed nothing, after which the settings are given up for those of the image.
    static let failedStartsLimit = 4

    typealias Opener = (
        _ image: JSONValue, SettingsRevision, _ earlier: [SettingsRevision]
    ) throws -> SettingsStore

    private let kept: SettingsRevisions.Kept
    private let wallTime: String
    private let makeStore: Opener
    private var image: JSONValue = [:]
    private var refusals: [SettingsRefusal]

    init(kept: SettingsRevisions.Kept, wallTime: String, open: @escaping Opener) {
        self.kept = kept
        self.wallTime = wallTime
        makeStore = open
        refusals = kept.problems
    }

    /// Takes the image's settings, if they are valid by themselves.
    mutating func takeImage(from path: String, _ read: () throws -> JSONValue?) {
        let document = attempt(path) { opening -> JSONValue? in
            guard let document = try read() else { return nil }
            _ = try opening.makeStore(document, .none, [])
            return document
        }
        if let document { image = document }
    }

    /// Opens an installed file that is new or has changed.
    mutating func openImported(
        from path: String, _ read: () throws -> (octets: [UInt8], document: JSONValue)?
    ) -> SettingsStart? {
        attempt(path) { opening in
            guard let (octets, document) = try read() else { return nil }
            return try opening.start(opening.made(by: path, document), isMade: true, imported: octets)
        }
    }

    /// Gives up settings with which start after start showed nothing.
    mutating func openImage(after failedStarts: Int) -> SettingsStart? {
        guard failedStarts >= Self.failedStartsLimit, let newest = kept.revisions.first, newest.document != [:] else {
            return nil
        }
        let why = "\(failedStarts) starts in a row showed nothing; the image's own settings are in force"
        refusals.append(SettingsRefusal(source: "revision \(newest.number)", why: why))
        return attempt("image") { opening in
            try opening.start(opening.made(by: SettingsRevision.ownAuthor, [:], comment: why), isMade: true)
        }
    }

    /// Opens the newest revision that is valid and was confirmed, or may still be tried.
    mutating func openNewest() -> SettingsStart {
        var unproved: SettingsRevision?
        for revision in kept.revisions {
            if let unconfirmed = revision.unconfirmed, unconfirmed.startsLeft <= 0 {
                let why = "it was not confirmed before the box ended; an earlier one is in force again"
                refusals.append(SettingsRefusal(source: "revision \(revision.number)", why: why))
                unproved = unproved ?? revision
            } else if let found = attempt("revision \(revision.number)", { try $0.start(revision, after: unproved) }) {
                return found
            }
        }
        guard let start = attempt("defaults", { try $0.start(.none, after: unproved) }) else {
            preconditionFailure("the defaults of the settings are not valid")
        }
        return start
    }

    // MARK: Steps

    /// - Parameter unproved: a newer revision that was passed over; nil if there is none.
    private func start(_ revision: SettingsRevision, after unproved: SettingsRevision?) throws -> SettingsStart {
        if let unproved {
            let why = "revision \(unproved.number) was not confirmed before the box ended"
            return try start(
                made(by: SettingsRevision.ownAuthor, revision.document, comment: why), isMade: true)
        }
        guard revision.unconfirmed != nil else { return try start(revision, isMade: false) }
        var tried = revision
        tried.unconfirmed?.startsLeft -= 1
        return try start(tried, isMade: true)
    }

    private func start(
        _ revision: SettingsRevision, isMade: Bool, imported: [UInt8]? = nil
    ) throws -> SettingsStart {
        let others = kept.revisions.filter { $0.number != revision.number }
        let history = SettingsRevision.kept(of: [revision] + others)
        return SettingsStart(
            store: try makeStore(image, revision, Array(history.dropFirst())), refusals: refusals,
            made: isMade
                ? .init(revision: revision, keeping: Set(history.map(\.number)), imported: imported) : nil)
    }

    private func made(by author: String, _ document: JSONValue, comment: String = "") -> SettingsRevision {
        SettingsRevision(
            number: kept.lastNumber + 1, author: author, document: document, time: wallTime, comment: comment)
    }

    /// - Returns: nil if the source is passed over, or has nothing.
    private mutating func attempt<T>(_ source: String, _ body: (SettingsOpening) throws -> T?) -> T? {
        do {
            return try body(self)
        } catch {
            refusals.append(SettingsRefusal(source: source, why: "\(error)"))
            return nil
        }
    }
}
