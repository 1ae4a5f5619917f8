// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Journal
import Settings
import Statistics
import System
import Venue

extension FeatureContext {
    /// What a feature needs to be tested by itself: a loop of its own, settings in memory, and a record of its events.
    /// - Parameters:
    ///   - features: whose sections the settings have besides those of no feature.
    ///   - heard: is given the name and the payload of each event.
    public static func testing(
        of features: any Feature.Type..., settings document: JSONValue = [:], archive: MemoryArchive = MemoryArchive(),
        journal: Journal = Journal(levels: Journal.Levels(level: .error, subsystems: [:])),
        statistics: StatisticRegistry = StatisticRegistry(),
        heard: @escaping (String, JSONValue) -> Void = { _, _ in }
    ) throws -> FeatureContext {
        let store = try SettingsStore(
            Settings.fields.map { SectionDescription($0) } + FeatureDeclarations(features).sections,
            revision: SettingsRevision(number: 1, author: "test", document: document), archive: archive,
            consistency: Settings.problems)
        var context = FeatureContext(
            loop: try EventLoop(), journal: journal, statistics: statistics, settings: store,
            append: { family, name, payload in heard("\(family.rawValue).\(name)", payload) })
        context.provide(store.running.settings)
        return context
    }
}
