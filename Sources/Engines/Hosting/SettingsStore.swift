// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// Why a change of settings was not made. All settings are as before.
public enum SettingsFailure: Error, Equatable, Sendable {
    /// The document has these problems.
    case invalid([Problem])
    /// A feature refused the change when it prepared it.
    case refused(section: String, Status)
    /// The document could not be written or published.
    case notWritten(Status)
    /// A feature failed to commit the change. The features before it have undone theirs.
    case rolledBack(section: String, Status)

    public var status: Status {
        switch self {
        case .invalid(let problems): .failure(.configuration, problems.map(\.description).joined(separator: "; "))
        case .refused(let section, let status): .failure(status.code, "\(section): \(status.errorString)")
        case .notWritten(let status): .failure(status.code, "the settings were not written: \(status.errorString)")
        case .rolledBack(let section, let status):
            .failure(status.code, "\(section): \(status.errorString); everything is as before")
        }
    }
}

/// A field that has a new value.
public struct SettingChange: Equatable, Sendable {
    /// The RFC 6901 pointer of the field.
    public let path: String
    public let effect: LiveChange

    public init(_ path: String, _ effect: LiveChange) {
        self.path = path
        self.effect = effect
    }
}

/// The owner of the settings. It changes them in a transaction: the whole new document is checked, prepared by each
/// feature that it concerns, staged on the disk, committed by these features and published. If a step fails, everything
/// stays as it was.
///
/// - Thread: the control loop's thread only.
public final class SettingsStore {
    /// The description of the whole document.
    public let kind: ValueKind
    /// The document as it was written. A field that is absent has its default.
    public private(set) var written: JSONValue
    /// The settings that are in effect, with all defaults. Fields that need a restart keep the value that they had at
    /// start.
    public private(set) var running: SettingsView
    private let sections: [SectionDescription]
    private let consistency: (JSONValue) -> [Problem]
    private let file: any DurableDocument
    private var participants: [Participant] = []

    /// A struct, because an array of closures with typed throws crashes the compiler of 6.3.1.
    private struct Participant {
        let sections: Set<String>
        let prepare: (SettingsView) throws(Status) -> Preparation
    }

    /// - Parameters:
    ///   - consistency: checks the rules between sections. Its argument is the document with all defaults.
    /// - Throws: `.invalid` if the document has problems.
    public init(
        _ sections: [SectionDescription], document: JSONValue, file: any DurableDocument,
        consistency: @escaping (JSONValue) -> [Problem] = { _ in [] }
    ) throws(SettingsFailure) {
        self.sections = sections
        self.consistency = consistency
        self.file = file
        kind = .record(sections.map(\.field))
        written = document
        running = SettingsView([:])
        running = SettingsView(try effective(document))
    }

    /// Adds a participant in changes of these sections. Participants prepare and commit in the order in which they were
    /// attached.
    /// - Parameter prepare: is called with the new settings if one of the sections changes. It throws to refuse the
    ///   change.
    public func attach(
        _ sections: [String], prepare: @escaping (SettingsView) throws(Status) -> Preparation
    ) {
        participants.append(Participant(sections: Set(sections), prepare: prepare))
    }

    /// The settings as they are shown: with all defaults, and with secrets masked (SVM-20).
    public var shown: JSONValue { kind.redacting(kind.completing(written)) }

    // MARK: Changes

    /// Changes settings by a JSON Merge Patch (RFC 7396, SVM-22): absent members stay unchanged, null restores the
    /// default, and arrays are replaced whole.
    /// - Parameter isTrial: whether the change is only checked and prepared, but not written and committed.
    /// - Returns: each field whose value differs, and the effect of its change.
    @discardableResult
    public func merge(_ patch: JSONValue, isTrial: Bool = false) throws(SettingsFailure) -> [SettingChange] {
        try change(to: written.merging(patch: patch), isTrial: isTrial)
    }

    /// Replaces the whole document. Fields that are absent get their defaults.
    @discardableResult
    public func replace(_ document: JSONValue, isTrial: Bool = false) throws(SettingsFailure) -> [SettingChange] {
        try change(to: document, isTrial: isTrial)
    }

    private func change(to document: JSONValue, isTrial: Bool) throws(SettingsFailure) -> [SettingChange] {
        let document = kind.unmasking(document, with: written)
        let wanted = try effective(document)
        let changes = differences(wanted)
        let next = SettingsView(keepingRestartFields(wanted, changes))
        let ready = try prepare(next)
        guard !isTrial else {
            discard(ready[...])
            return changes
        }
        try commit(ready, document)
        written = document
        running = next
        return changes
    }

    private func effective(_ document: JSONValue) throws(SettingsFailure) -> JSONValue {
        var problems = kind.problems(of: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        let effective = kind.completing(document)
        // The rules between fields assume that each field is valid by itself.
        problems = sections.flatMap { $0.problems(effective[$0.name] ?? .null) } + consistency(effective)
        guard problems.isEmpty else { throw .invalid(problems) }
        return effective
    }

    private func prepare(_ next: SettingsView) throws(SettingsFailure) -> [(section: String, Preparation)] {
        let changed = sections.map(\.name).filter { next.document[$0] != running.document[$0] }
        var ready: [(section: String, Preparation)] = []
        for participant in participants {
            guard let section = changed.first(where: participant.sections.contains) else { continue }
            do {
                ready.append((section, try participant.prepare(next)))
            } catch {
                discard(ready[...])
                throw .refused(section: section, error)
            }
        }
        return ready
    }

    private func commit(_ ready: [(section: String, Preparation)], _ document: JSONValue) throws(SettingsFailure) {
        do {
            try file.stage(document.octets(pretty: true))
        } catch {
            discard(ready[...])
            throw .notWritten(error)
        }
        for (index, (section, preparation)) in ready.enumerated() {
            do {
                try preparation.commit()
            } catch {
                undo(ready[..<index])
                discard(ready[(index + 1)...])
                file.abandon()
                throw .rolledBack(section: section, error)
            }
        }
        do {
            try file.publish()
        } catch {
            undo(ready[...])
            file.abandon()
            throw .notWritten(error)
        }
    }

    private func discard(_ ready: ArraySlice<(section: String, Preparation)>) {
        for (_, preparation) in ready.reversed() { preparation.discard() }
    }

    private func undo(_ committed: ArraySlice<(section: String, Preparation)>) {
        for (_, preparation) in committed.reversed() { preparation.undo() }
    }

    // MARK: Differences

    /// The differences from the running settings. A value that waits for a restart is therefore reported until the
    /// restart.
    private func differences(_ next: JSONValue) -> [SettingChange] {
        var changes: [SettingChange] = []
        for section in sections {
            Self.compare(
                section.field, next[section.name], running.document[section.name], at: "/\(section.name)",
                into: &changes)
        }
        return changes
    }

    private static func compare(
        _ field: FieldDescription, _ next: JSONValue?, _ now: JSONValue?, at path: String,
        into changes: inout [SettingChange]
    ) {
        guard next != now else { return }
        guard case .record(let members) = field.type, field.change == nil else {
            return changes.append(SettingChange(path, field.change ?? .needsRestart))
        }
        for member in members {
            compare(
                member, next?[member.name], now?[member.name], at: "\(path)/\(JSONValue.pointerToken(member.name))",
                into: &changes)
        }
    }

    private func keepingRestartFields(_ wanted: JSONValue, _ changes: [SettingChange]) -> JSONValue {
        var next = wanted
        for change in changes where change.effect == .needsRestart {
            next = next.replacing(change.path, with: running.document.at(change.path))
        }
        return next
    }
}

extension JSONValue {
    /// Returns the value with one member replaced.
    /// - Parameters:
    ///   - pointer: the RFC 6901 pointer of the member.
    ///   - value: the new value; nil removes the member.
    func replacing(_ pointer: String, with value: JSONValue?) -> JSONValue {
        let tokens = pointer.split(separator: "/", maxSplits: 1).map(String.init)
        guard let first = tokens.first, case .object(var members) = self else { return value ?? self }
        let name = first.replacing("~1", with: "/").replacing("~0", with: "~")
        members[name] = tokens.count > 1 ? members[name]?.replacing(tokens[1], with: value) : value
        return .object(members)
    }
}
