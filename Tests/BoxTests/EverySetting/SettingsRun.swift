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
    /// The settings of the box before a change.
    private let settings: JSONValue
    private let trials: [SettingTrial]
    private var way = Way.socket
    /// The socket that the settings say, once they do.
    private var ownSocket: String?
    /// A row for each setting that was changed.
    private(set) var table: [[String]] = []
    /// Settings that were changed and wait for a restart, with their new values.
    private var waiting: [(leaf: SettingLeaf, value: JSONValue)] = []

    /// - Parameter settings: of the box before a change.
    init(_ venue: SettingsVenue, _ settings: JSONValue) throws {
        (self.venue, self.settings) = (venue, settings)
        trials = try SettingTrial.all(venue)
        box = try RunningBox(settings, change: venue.change)
        _ = try box.await("status") { $0["boxId"] != nil }
    }

    private static func pictures(_ stats: JSONValue) -> Int64 {
        stats.at("/stats/playback/framesDecoded")?.integer ?? 0
    }

    private func session() throws -> JSONValue { try box.answer("status")["session"] ?? .null }

    private func awaitPictures(_ count: Int64) throws {
        _ = try box.await("stats", within: .seconds(20)) { Self.pictures($0) > count }
    }

    private func trial(of leaf: SettingLeaf) -> SettingTrial {
        trials.first { $0.path == leaf.path } ?? SettingTrial(leaf.path, by: "shown and explained")
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
            guard isTrial else { return try box.merge(patch) }
            let file = box.directory + "/patch.json"
            try DurableFile.write(patch.octets(), to: file)
            return try box.answer("config", "check", file, "--merge")
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
        if let channel = trial.channel { try play(channel) }
        try prepare(trial)
        try change(leaves, as: trial)
        guard !waits(leaves[0]) else { return }
        if trial.given != [:], !trial.isLast {
            let file = box.directory + "/before.json"
            try DurableFile.write(self.settings.octets(), to: file)
            #expect(try box.answer("config", "replace", file)["errorString"] == nil, "\(trial.path): as before")
        }
        try trial.tidy(box)
    }

    /// Whether only a restart shows the effect.
    private func waits(_ leaf: SettingLeaf) -> Bool { leaf.promise == .needsRestart || trial(of: leaf).isAtStart }

    /// Makes the scene of a trial.
    private func prepare(_ trial: SettingTrial) throws {
        if trial.given != [:] {
            try SettingTrial.merge(trial.given)(box)
            if let channel = trial.channel { try play(channel) }
        }
        try trial.arrange(box)
    }

    private func change(_ leaves: [SettingLeaf], as trial: SettingTrial) throws {
        let (before, settings) = (try session(), try box.answer("config")["config"] ?? .null)
        let changes = try leaves.map { leaf in
            let (trial, now) = (self.trial(of: leaf), settings.at(leaf.pointer) ?? .null)
            let value = try trial.makeValue(box) ?? trial.value ?? leaf.value(otherThan: now)
            let isSeen = try !waits(leaf) && trial.isSeen?(box) ?? false
            #expect(!isSeen, "\(leaf.path): its effect is seen before the change")
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
        let expected = (waiting.map(\.leaf).filter { $0.promise == .needsRestart } + leaves).map { leaf -> JSONValue in
            ["path": .string(leaf.pointer), "effect": .string(leaf.promise.rawValue)]
        }
        for answer in [promised, report] {
            #expect(Set(answer["changes"]?.array ?? []) == Set(expected), "\(trial.path): \(answer)")
        }
        for (leaf, value) in changes { try expectShown(leaf, value, source: "revision", by: by) }
        try observe(changes, before, trial, by)
        guard !waits(leaves[0]) else { return waiting += changes }
        try restore(leaves, to: settings, written: trial.given, by: by.other)
    }

    /// What only the local socket may change is refused to HTTP, and stays (SVM-12).
    private func expectLocal(_ changes: [(leaf: SettingLeaf, value: JSONValue)]) throws {
        for (leaf, value) in changes where leaf.isLocalOnly {
            let (code, body) = try box.http("PATCH", "/v1/config", value.at(settingsPath: leaf.path))
            let why = body["errorString"]?.string ?? ""
            #expect(code == 409 && why.contains("by the local control socket only"), "\(leaf.path): \(code) \(why)")
        }
    }

    private func restore(
        _ leaves: [SettingLeaf], to settings: JSONValue, written given: JSONValue, by way: Way
    ) throws {
        let isOpenToHTTP = !leaves.contains { $0.isLocalOnly }
        let written = leaves.map { leaf in
            (leaf, given.at(leaf.pointer) ?? self.settings.at(leaf.pointer) ?? JSONValue.null)
        }
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
        let isByHTTP = way == .socket && !leaf.path.hasPrefix("http.") && !leaf.path.hasPrefix("access.")
        let shown =
            isByHTTP
            ? try box.http("GET", "/v1/config?path=\(leaf.path)").body["config"]
            : try box.answer("config", leaf.path)["config"]
        let whole = value.isNull ? value : leaf.field.type.completing(value)
        let isMasked = leaf.field.isSecret && !whole.isNull && whole != ""
        #expect(shown == (isMasked ? ValueKind.mask : whole), "\(leaf.path)")
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
        let interruption = try interruption(by: changes[0].leaf, before, trial)
        if !waits(changes[0].leaf) { try trial.act(box) }
        for (each, value) in changes {
            let trial = self.trial(of: each)
            if !waits(each), let isSeen = trial.isSeen { try expectSeen(each, isSeen) }
            table.append([
                each.path, String(value.text().prefix(40)), way.rawValue, each.promise.rawValue, interruption,
                trial.seenBy,
            ])
        }
    }

    private func expectSeen(_ leaf: SettingLeaf, _ isSeen: SettingTrial.Look) throws {
        let deadline = SystemClock.monotonic() + .seconds(20)
        let pause = EventPause()
        // A command may fail while the box changes; it is given again.
        while (try? isSeen(box)) != true {
            guard SystemClock.monotonic() < deadline else {
                Issue.record("\(leaf.path): no effect is seen: \(try box.answer("status"))")
                return
            }
            pause.wait()
        }
    }

    /// What is seen of what plays.
    private func interruption(by leaf: SettingLeaf, _ before: JSONValue, _ trial: SettingTrial) throws -> String {
        if trial.channel == nil { return "no channel is there" }
        let isOfChannels = ["network.", "reception.", "playback."].contains { leaf.path.hasPrefix($0) }
        if leaf.promise == .interruptsPicture, isOfChannels || trial.takesChannel {
            _ = try box.await("status") { $0["session"] != before }
            if trial.takesChannel { return "channel gone" }
            try awaitPictures(3)
            return "picture returns"
        }
        try awaitPictures(Self.pictures(try box.answer("stats")))
        let isKept = try session() == before
        #expect(isKept || leaf.promise == .interruptsPicture, "\(leaf.path): interrupts the picture")
        if !isKept { return "picture returns" }
        return leaf.promise == .needsRestart ? "nothing" : "pictures go on"
    }

    // MARK: Restart

    /// Starts the box anew: what waited for it is in force.
    func restart() throws {
        #expect(box.end(isKept: true) == .ok)
        let socket = waiting.first { $0.leaf.path == "control.socket" }?.value.string
        box = try RunningBox(restarting: box, listeningTo: socket ?? ownSocket, change: venue.change)
        ownSocket = socket ?? ownSocket
        _ = try box.await("status") { $0["boxId"] != nil }
        for (leaf, value) in waiting {
            let explained = try box.answer("config", "explain", leaf.path)
            #expect(explained["awaitsRestart"] == false && explained["source"] == "revision", "\(explained)")
            #expect(try box.answer("config", leaf.path)["config"] == leaf.field.type.completing(value))
            if let isSeen = trial(of: leaf).isSeen { try expectSeen(leaf, isSeen) }
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
