// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import JSON
import Shapes
import TestSupport
import Testing
import Venue

@testable import Hosting

private struct SoundSection: SettingsSection {
    static let name = "sound"
    static let help = "Where sound goes."
    var device = ""
    var volume = 100
    var token = ""
    var rate = 48

    static let shape = Shape<Self>([
        .setting("device", \.device, .text(0...16), .interruptsSound, "Device."),
        .setting("volume", \.volume, .integer(0...100), .atOnce, "Volume."),
        .setting("token", \.token, .text(0...16), .atOnce, isSecret: true, "Secret."),
        .setting("rate", \.rate, .integer(8...192), .needsRestart, "Rate."),
    ])

    var problems: [Problem] {
        device == "none" && volume > 0
            ? [Problem(path: "/volume", value: .integer(Int64(volume)), expectation: "0, because device is none")] : []
    }
}

private struct StageSection: SettingsSection {
    static let name = "stage"
    static let help = "What is shown."
    var layout = "full"

    static let shape = Shape<Self>([.setting("layout", \.layout, .text(1...16), .interruptsPicture, "Layout.")])
}

/// What features did, in order; each may refuse or fail.
private final class Features {
    var told: [String] = []
    var volume = 100
    var refuses = ""
    var fails = ""
    /// Whether `stage` ends its commit later, by `end`.
    var isSlow = false
    var end: (Status?) -> Void = { _ in }

    func attach(to store: SettingsStore) {
        store.attach(["sound"]) { [unowned self] (new) throws(Status) in
            try prepare("sound", new[SoundSection.self].volume)
        }
        store.attach(["stage"]) { [unowned self] (_) throws(Status) in
            guard isSlow else { return try prepare("stage", nil) }
            return Preparation(
                undo: { [unowned self] in told.append("undo stage") },
                begin: { [unowned self] end in
                    told.append("begin stage")
                    self.end = end
                })
        }
    }

    private func prepare(_ name: String, _ next: Int?) throws(Status) -> Preparation {
        told.append("prepare \(name)")
        if refuses == name { throw .failure(.failed, "no device") }
        let before = volume
        return Preparation(
            discard: { [unowned self] in told.append("discard \(name)") },
            undo: { [unowned self] in
                told.append("undo \(name)")
                volume = before
            },
            commit: { [unowned self] () throws(Status) in
                if fails == name { throw .failure(.failed, "it broke") }
                told.append("commit \(name)")
                volume = next ?? volume
            })
    }
}

extension SettingsStore {
    @discardableResult
    fileprivate func change(
        _ edit: SettingsEdit, from origin: Origin = .localSocket, _ terms: SettingsTerms = SettingsTerms()
    ) throws -> [SettingChange] {
        var result: Result<SettingsOutcome, SettingsFailure>?
        change(edit, from: origin, terms) { result = $0 }
        return try #require(result).get().changes
    }

    @discardableResult
    fileprivate func merge(_ patch: JSONValue, isTrial: Bool = false) throws -> [SettingChange] {
        try change(.merge(patch), SettingsTerms(isTrial: isTrial))
    }

    @discardableResult
    fileprivate func replace(_ document: JSONValue) throws -> [SettingChange] { try change(.replace(document)) }
}

/// A change of settings takes place as a whole, or not at all (SVM-12, 18…20, 22).
@Suite struct SettingsStoreTests {
    private let disk = MemoryArchive()
    private let features = Features()

    private func makeStore(_ document: JSONValue = [:], image: JSONValue = [:]) throws -> SettingsStore {
        let store = try SettingsStore(
            [SectionDescription(SoundSection.self), SectionDescription(StageSection.self)], image: image,
            revision: SettingsRevision(number: 1, author: "test", document: document), archive: disk)
        features.attach(to: store)
        store.wallTime = { "now" }
        return store
    }

    private func failure(_ body: () throws -> Void) -> SettingsFailure? { thrown(SettingsFailure.self, by: body) }

    @Test func aChangeIsCommittedAndKept() throws {
        let store = try makeStore()
        let changes = try store.merge(["sound": ["volume": 30], "stage": ["layout": "quad"]])
        #expect(
            changes == [SettingChange("/sound/volume", .atOnce), SettingChange("/stage/layout", .interruptsPicture)])
        #expect(features.told == ["prepare sound", "prepare stage", "commit sound", "commit stage"])
        #expect(features.volume == 30)
        #expect(disk.kept?.document == ["sound": ["volume": 30], "stage": ["layout": "quad"]])
        #expect(store.running[SoundSection.self].volume == 30)
    }

    @Test func absentIsUnchangedAndNullIsTheDefault() throws {
        let store = try makeStore(["sound": ["volume": 30, "device": "hdmi"]])
        try store.merge(["sound": ["volume": .null]])
        #expect(store.written == ["sound": ["device": "hdmi"]])
        try store.replace(["stage": ["layout": "pip"]])
        #expect(store.running[SoundSection.self].device == "")
    }

    @Test func allProblemsAreNamedAndNothingChanges() throws {
        let store = try makeStore()
        let wrong: JSONValue = ["sound": ["volume": 101, "device": 7], "stage": ["layuot": "quad"]]
        guard case .invalid(let problems) = failure({ try store.merge(wrong) }) else {
            Issue.record("the document is taken")
            return
        }
        #expect(problems.map(\.path) == ["/sound/device", "/sound/volume", "/stage/layuot"])
        #expect(failure { try store.merge(["sound": ["device": "none"]]) } != nil)
        #expect(features.told.isEmpty && store.written == [:] && disk.kept == nil)
    }

    /// Each way a change can fail leaves features and disk as they were.
    @Test(arguments: ["refuse sound", "refuse stage", "fail sound", "fail stage", "stage", "publish"])
    func afterAFailureEverythingIsAsBefore(step: String) throws {
        let store = try makeStore(["sound": ["volume": 20]])
        let words = step.split(separator: " ").map(String.init)
        switch (words[0], words.last ?? "") {
        case ("refuse", let name): features.refuses = name
        case ("fail", let name): features.fails = name
        case ("stage", _): disk.failsToStage = true
        default: disk.failsToPublish = true
        }
        let change: JSONValue = ["sound": ["volume": 30], "stage": ["layout": "quad"]]
        #expect(failure { try store.merge(change) } != nil)
        #expect(features.volume == 100 && disk.kept == nil && disk.staged == nil)
        #expect(store.written == ["sound": ["volume": 20]] && store.running[SoundSection.self].volume == 20)
        let prepared = features.told.count { $0.hasPrefix("prepare") } - (words[0] == "refuse" ? 1 : 0)
        let givenBack = features.told.count { $0.hasPrefix("undo") || $0.hasPrefix("discard") }
        #expect(givenBack == prepared - (words[0] == "fail" ? 1 : 0), "\(features.told)")
        (features.refuses, features.fails) = ("", "")
        (disk.failsToStage, disk.failsToPublish) = (false, false)
        #expect(try store.merge(change).count == 2)
        #expect(features.volume == 30)
    }

    /// The next change waits for a commit that ends later.
    @Test func aCommitMayEndLater() throws {
        let store = try makeStore()
        features.isSlow = true
        var answers: [String] = []
        func change(_ patch: JSONValue) {
            store.change(.merge(patch), from: .localSocket) { result in
                switch result {
                case .success(let outcome): answers.append("\(outcome.revision)")
                case .failure(let failure): answers.append("\(failure)")
                }
            }
        }
        change(["stage": ["layout": "quad"], "sound": ["volume": 30]])
        change(["sound": ["volume": 31]])
        #expect(answers.isEmpty && disk.kept == nil && store.running[StageSection.self].layout == "full")
        #expect(features.told == ["prepare sound", "commit sound", "begin stage"])
        features.end(nil)
        #expect(answers == ["2", "3"] && store.running[StageSection.self].layout == "quad")
        #expect(disk.kept?.document == ["stage": ["layout": "quad"], "sound": ["volume": 31]])

        features.told = []
        change(["stage": ["layout": "pip"], "sound": ["volume": 40]])
        features.end(.failure(.failed, "no card"))
        #expect(answers.last == "stage: no card; everything is as before")
        #expect(features.told == ["prepare sound", "commit sound", "begin stage", "undo sound"])
        #expect(features.volume == 31 && store.running[StageSection.self].layout == "quad" && disk.staged == nil)
    }

    @Test func aTrialChangesNothing() throws {
        let store = try makeStore()
        #expect(try store.merge(["sound": ["volume": 30]], isTrial: true).map(\.path) == ["/sound/volume"])
        #expect(features.told == ["prepare sound", "discard sound"])
        #expect(disk.kept == nil && store.written == [:])
    }

    /// A value that waits for a restart is kept, named each time, and not run by.
    @Test func aFieldThatNeedsARestartWaits() throws {
        let store = try makeStore()
        #expect(try store.merge(["sound": ["rate": 96]]) == [SettingChange("/sound/rate", .needsRestart)])
        #expect(store.running[SoundSection.self].rate == 48)
        #expect(store.written == ["sound": ["rate": 96]])
        #expect(try store.merge(["sound": ["volume": 1]]).map(\.path) == ["/sound/volume", "/sound/rate"])
        #expect(try makeStore(store.written).running[SoundSection.self].rate == 96)
    }

    @Test func whatWasShownCanBeWrittenBack() throws {
        let store = try makeStore(["sound": ["token": "hunter2"]])
        #expect(store.shown["sound"]?["token"] == "********")
        try store.replace(store.shown)
        #expect(store.running[SoundSection.self].token == "hunter2")
    }

    /// Generated documents, valid and not: all or nothing.
    @Test func anyDocumentIsTakenWholeOrNotAtAll() throws {
        let store = try makeStore()
        var random = SplitMix64(seed: 12)
        for _ in 0..<2_000 {
            let before = (store.written, store.running, features.volume)
            let volume = Int64.random(in: -20...130, using: &random)
            let layouts: [JSONValue] = ["full", "quad", "", 7, .null]
            let layout = layouts.randomElement(using: &random) ?? .null
            let patch: JSONValue = ["sound": ["volume": .integer(volume)], "stage": ["layout": layout]]
            let isValid = (0...100).contains(volume) && layout != "" && layout != 7
            let failure = failure { try store.merge(patch) }
            #expect((failure == nil) == isValid)
            if failure == nil {
                #expect(features.volume == store.running[SoundSection.self].volume)
            } else {
                #expect(before.0 == store.written && before.1 == store.running && before.2 == features.volume)
            }
        }
    }

    /// A store checks only the sections that differ from the last valid document. What it has checked before does not
    /// change what it says of a document: a new store says the same, problem by problem, and has the same settings.
    @Test func whatWasCheckedBeforeChangesNoVerdict() throws {
        let image: JSONValue = ["sound": ["volume": 0]]
        let store = try makeStore(image: image)
        var random = SplitMix64(seed: 18)
        let sounds: [JSONValue] = [
            [:], .null, 7, ["device": "none"], ["device": "none", "volume": 5], ["volume": 101], ["rate": 44, "x": 1],
        ]
        let stages: [JSONValue] = [[:], .null, ["layout": "quad"], ["layout": ""], ["layout": .null], []]
        var refused = 0
        for _ in 0..<500 {
            var document: JSONValue = [:]
            if Bool.random(using: &random) { document["sound"] = sounds.randomElement(using: &random) }
            if Bool.random(using: &random) { document["stage"] = stages.randomElement(using: &random) }
            if Int.random(in: 0..<10, using: &random) == 0 { document["other"] = 1 }
            let told = failure { try store.replace(document) }
            // A store starts with a revision, which has no nulls.
            let other = failure { _ = try makeStore(([:] as JSONValue).merging(patch: document), image: image) }
            #expect("\(String(describing: told))" == "\(String(describing: other))")
            if told != nil {
                refused += 1
            } else {
                let new = try makeStore(([:] as JSONValue).merging(patch: document), image: image)
                #expect(store.shown == new.shown)
                #expect(store.running[StageSection.self].layout == new.running[StageSection.self].layout)
                #expect(store.running[SoundSection.self].volume == new.running[SoundSection.self].volume)
            }
        }
        #expect((100...400).contains(refused))
    }

    // MARK: Image, paths, origins

    /// The image lies below: what no revision says is the image's, and a reset goes back to it.
    @Test func theImageLiesBelowTheRevisions() throws {
        let store = try makeStore(["sound": ["volume": 5]], image: ["sound": ["device": "hdmi", "volume": 60]])
        #expect(store.shown["sound"]?["device"] == "hdmi" && store.running[SoundSection.self].volume == 5)
        try store.change(.reset(SettingsPath("sound.volume")))
        #expect(store.running[SoundSection.self].volume == 60 && store.written == ["sound": [:]])
        let explanation = try store.explanation(of: SettingsPath("/sound/volume"))
        #expect(explanation.source == .image && explanation.value == 60 && explanation.standard == 60)
        try store.replace(["sound": ["volume": 7]])
        #expect(store.running[SoundSection.self].device == "hdmi")
        #expect(try store.explanation(of: SettingsPath("sound.volume")).source == .revision)
        #expect(try store.explanation(of: SettingsPath("sound.rate")).source == .standard)
    }

    @Test func eachRevisionHasTheNextNumber() throws {
        let store = try makeStore()
        try store.merge(["sound": ["volume": 30]])
        try store.merge(["sound": ["volume": 30]])
        #expect(store.revision.number == 2, "what changes nothing is no revision")
        try store.merge(["sound": ["volume": 31]])
        let third = SettingsRevision(
            number: 3, author: "localSocket", document: ["sound": ["volume": 31]], time: "now")
        #expect(disk.kept == third)
    }

    @Test func whatOnlyTheLocalSocketMayChangeIsRefusedToOthers() throws {
        let key = FieldDescription("key", .text(0...8), .defaulted(""), "Key.").changing(.atOnce).locally()
        let file = FieldDescription("file", .text(0...8), .optional, "File.").changing(.atOnce).locally()
        let items = FieldDescription("items", .list(of: .record([file]), 0...4), .defaulted([]), "Items.")
        let other = FieldDescription("other", .integer(0...9), .defaulted(0), "Other.").changing(.atOnce)
        let store = try SettingsStore([SectionDescription(.group("a", "A.", [key, items, other]))], archive: disk)
        func refusal(_ patch: JSONValue) -> SettingsFailure? {
            failure { try store.change(.merge(patch), from: .http) }
        }
        #expect(refusal(["a": ["key": "x"]]) == .localOnly(path: "/a/key", .http))
        #expect(refusal(["a": ["items": [["file": "/etc"]]]]) == .localOnly(path: "/a/items/file", .http))
        try store.change(.merge(["a": ["other": 3]]), from: .http)
        try store.merge(["a": ["items": [["file": "/b"], ["file": "/c"]]]])
        try store.change(.merge(["a": ["items": [["file": "/c"]]]]), from: .http)
        #expect(store.written == ["a": ["other": 3, "items": [["file": "/c"]]]])
    }
}
