// SPDX-License-Identifier: Apache-2.0
import Settings
import TestSupport
import Testing

struct SettingsDataTests {
    private func settings(_ data: String) throws -> Settings.Data {
        try Settings(parsing: Array("{\"data\":\(data)}".utf8)).data
    }

    @Test func areRead() throws {
        let data = try settings(
            #"{"consumers":[{"channel":"Scores","kind":"ticker"},{"channel":"Scores","kind":"cues"}],"allowedCommands":["tune"]}"#
        )
        #expect(data.consumers.map(\.kind) == [.ticker, .cues] && data.allowedCommands == ["tune"])
    }

    @Test(arguments: [
        (#"{"consumers":[{"channel":"A","kind":"config"}]}"#, "/data/consumers/0/kind"),
        (#"{"consumers":[{"kind":"cues"}]}"#, "/data/consumers/0/channel"),
        (
            #"{"consumers":[{"channel":"A","kind":"cues"},{"channel":"A","kind":"cues"}]}"#, "/data/consumers/1"
        ),
    ])
    func areRefused(data: String, path: String) {
        let problem = thrown(SettingsError.self) { try settings(data) }
        #expect(problem?.description.contains(path) == true)
    }
}
