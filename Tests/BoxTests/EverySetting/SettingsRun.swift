// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import System
import Testing
import Time

@testable import Box

/// A box that plays while its settings are changed one after the other, and a table of what was seen.
final class SettingsRun {
    /// Interfaces by which settings are changed, in turn: one changes a setting, the other restores it.
    enum Way: String {
        case socket, http
        var other: Way { self == .socket ? .http : .socket }
    }

    private(set) var box: RunningBox
    private let venue: SettingsVenue
    private let trials: [SettingTrial]
    private var way = Way.socket
    private(set) var table: [[String]] = [["setting", "value", "by", "promised", "seen", "effect seen by"]]
    /// Settings that were changed and wait for a restart, with their new values.
    private var waiting: [(leaf: SettingLeaf, value: JSONValue)] = []

    init(_ venue: SettingsVenue) throws {
        self.venue = venue
        trials = SettingTrial.all(venue)
        box = try RunningBox(venue.settings)
        _ = try box.await("stats", within: .seconds(20)) { Self.pictures($0) > 3 }
    }

    private static func pictures(_ stats: JSONValue) -> Int64 {
        stats.at("/stats/playback/framesDecoded")?.integer ?? 0
    }

    private func session() throws -> JSONValue { try box.answer("status")["session"] ?? .null }

    private func awaitPictures(_ count: Int64) throws {
        _ = try box.await("stats", within: .seconds(20)) { Self.pictures($0) > count }
    }

    private func trial(of leaf: SettingLeaf) -> SettingTrial {
        trials.first { $0.path == leaf.path } ?? SettingTrial(leaf.path)
    }

    /// Plays the channel in `main`.
    private func play(_ channel: String) throws {
        let status = try box.answer("status")
        if status["channel"] != .string(channel) || status["isOpen"] != true {
            // A channel that is announced is listed within a second.
            _ = try box.await("channels") { answer in
                answer["channels"]?.array?.contains { $0["name"] == .string(channel) } ?? false
            }
            #expect(try box.answer("tune", channel)["channel"] == .string(channel))
        }
        try awaitPictures(3)
    }

    // MARK: Changes

    /// Merges a patch.
    /// - Parameter isTrial: whether the patch is only checked.
    private func merge(_ patch: JSONValue, by way: Way, isTrial: Bool = false) throws -> JSONValue {
        guard way == .http else {
            let file = box.directory + "/patch.json"
            try DurableFile.write(patch.octets(), to: file)
            let words = isTrial ? ["config", "check", file, "--merge"] : ["config", "merge", file]
            return try box.answer(words)
        }
        return isTrial
            ? try box.http("POST", "/v1/config-check", ["settings": patch, "merge": true]).body
            : try box.http("PATCH", "/v1/config", patch).body
    }

    /// Changes one setting, or several by one patch; null stands for the default.
    private func change(_ changes: [(leaf: SettingLeaf, value: JSONValue)], by way: Way) throws -> JSONValue {
        if way == .socket, changes.count == 1 {
            let (leaf, value) = changes[0]
            if value.isNull { return try box.answer("config", "reset", leaf.path) }
            return try box.answer("config", "set", leaf.path, value.string ?? value.text())
        }
        let patch = changes.reduce([:] as JSONValue) { $0.unified($1.value.at(settingsPath: $1.leaf.path)) }
        return try merge(patch, by: way)
    }

    /// Tries settings that are changed together, and restores them unless they wait for a restart.
    func change(_ leaves: [SettingLeaf]) throws {
        let trial = trial(of: leaves[0])
        try play(trial.channel)
        let (before, settings) = (try session(), try box.answer("config")["config"] ?? .null)
        let changes = try leaves.map { leaf in
            let (trial, now) = (self.trial(of: leaf), settings.at(leaf.pointer) ?? .null)
            let value = try trial.makeValue(box) ?? trial.value ?? leaf.value(otherThan: now)
            return (leaf, try #require(value, "\(leaf.path)"))
        }
        way = way.other
        var by = way
        if leaves.contains(where: \.isLocalOnly) {
            try expectLocal(changes)
            by = .socket
        }
        let patch = changes.reduce([:] as JSONValue) { $0.unified($1.1.at(settingsPath: $1.0.path)) }
        let promised = try merge(patch, by: by, isTrial: true)
        #expect(try session() == before, "\(trial.path): a check interrupts")
        let report = try change(changes, by: by)
        let expected = (waiting.map(\.leaf) + leaves).map { leaf -> JSONValue in
            ["path": .string(leaf.pointer), "effect": .string(leaf.promise.rawValue)]
        }
        for answer in [promised, report] {
            #expect(Set(answer["changes"]?.array ?? []) == Set(expected), "\(trial.path): \(answer)")
        }
        for (leaf, value) in changes { try expectShown(leaf, value, source: "revision", by: by) }
        try observe(changes, before, trial, by)
        guard leaves[0].promise != .needsRestart else { return waiting += changes }
        try restore(leaves, to: settings, by: by.other)
    }

    /// What only the local socket may change is refused to HTTP, and stays (SVM-12).
    private func expectLocal(_ changes: [(leaf: SettingLeaf, value: JSONValue)]) throws {
        for (leaf, value) in changes where leaf.isLocalOnly {
            let (code, body) = try box.http("PATCH", "/v1/config", value.at(settingsPath: leaf.path))
            let why = body["errorString"]?.string ?? ""
            #expect(code == 409 && why.contains("by the local control socket only"), "\(leaf.path): \(code) \(why)")
        }
    }

    private func restore(_ leaves: [SettingLeaf], to settings: JSONValue, by way: Way) throws {
        let isOpenToHTTP = !leaves.contains { $0.isLocalOnly }
        let written = leaves.map { ($0, venue.settings.at($0.pointer) ?? JSONValue.null) }
        let report = try change(written, by: isOpenToHTTP ? way : .socket)
        #expect(report["errorString"] == nil, "\(leaves[0].path): \(report)")
        for (leaf, value) in written {
            let now = settings.at(leaf.pointer) ?? .null
            try expectShown(leaf, now, source: value.isNull ? "default" : "revision", by: way)
        }
    }

    // MARK: Looks

    /// SVM-20: the setting is shown and explained, by the interface that did not change it.
    private func expectShown(_ leaf: SettingLeaf, _ value: JSONValue, source: String, by way: Way) throws {
        let isByHTTP = way == .socket && !leaf.path.hasPrefix("http.")
        let shown =
            isByHTTP
            ? try box.http("GET", "/v1/config?path=\(leaf.path)").body["config"]
            : try box.answer("config", leaf.path)["config"]
        #expect(shown == leaf.field.type.completing(value), "\(leaf.path)")
        let explained =
            isByHTTP
            ? try box.http("GET", "/v1/config-explain?path=\(leaf.path)").body
            : try box.answer("config", "explain", leaf.path)
        #expect(explained["source"] == .string(source), "\(leaf.path): \(explained)")
        #expect(explained["change"] == .string(leaf.promise.rawValue), "\(leaf.path): \(explained)")
        #expect(explained["isLocalOnly"] == .bool(leaf.isLocalOnly), "\(leaf.path): \(explained)")
        let waits = leaf.promise == .needsRestart && source == "revision"
        #expect(explained["awaitsRestart"] == .bool(waits), "\(leaf.path): \(explained)")
    }

    /// What the change interrupts, and that it has its effect.
    private func observe(
        _ changes: [(leaf: SettingLeaf, value: JSONValue)], _ before: JSONValue, _ trial: SettingTrial, _ way: Way
    ) throws {
        let leaf = changes[0].leaf
        let isOfChannels = ["network.", "reception.", "playback."].contains { leaf.path.hasPrefix($0) }
        let reopens = isOfChannels || trial.takesChannel
        var seen = leaf.promise == .needsRestart ? "nothing" : "pictures go on"
        if leaf.promise == .interruptsPicture, reopens {
            _ = try box.await("status") { $0["session"] != before }
            seen = trial.takesChannel ? "channel gone" : "picture returns"
            if !trial.takesChannel { try awaitPictures(3) }
        } else {
            try awaitPictures(Self.pictures(try box.answer("stats")))
            let isKept = try session() == before
            #expect(isKept || leaf.promise == .interruptsPicture, "\(leaf.path): interrupts the picture")
            if !isKept { seen = "picture returns" }
        }
        for (each, value) in changes {
            let trial = self.trial(of: each)
            if each.promise != .needsRestart, let isSeen = trial.isSeen {
                _ = try box.await("status") { _ in (try? isSeen(box)) ?? false }
            }
            table.append([
                each.path, String(value.text().prefix(40)), way.rawValue, each.promise.rawValue, seen, trial.seenBy,
            ])
        }
    }

    // MARK: Restart

    /// Changes a setting that waits for a restart, without a look at anything else.
    func changeUnseen(_ leaf: SettingLeaf) throws {
        let trial = trial(of: leaf)
        let value = try #require(trial.value)
        let report = try change([(leaf, value)], by: .socket)
        #expect(report["errorString"] == nil, "\(leaf.path): \(report)")
        waiting.append((leaf, value))
        table.append([leaf.path, value.text(), Way.socket.rawValue, leaf.promise.rawValue, "not seen", trial.seenBy])
    }

    /// Starts the box anew: what waited for it is in force.
    func restart() throws {
        #expect(box.end(isKept: true) == .ok)
        box = try RunningBox(restarting: box)
        _ = try box.await("status") { $0["boxId"] != nil }
        for (leaf, value) in waiting {
            let explained = try box.answer("config", "explain", leaf.path)
            #expect(explained["awaitsRestart"] == false && explained["source"] == "revision", "\(explained)")
            #expect(try box.answer("config", leaf.path)["config"] == leaf.field.type.completing(value))
            guard let isSeen = trial(of: leaf).isSeen else { continue }
            _ = try box.await("status") { _ in (try? isSeen(box)) ?? false }
        }
        waiting = []
    }
}

extension JSONValue {
    /// The members of both, all the way down; a null stays.
    fileprivate func unified(_ other: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let more) = other else { return other }
        for (key, value) in more { members[key] = members[key]?.unified(value) ?? value }
        return .object(members)
    }
}
