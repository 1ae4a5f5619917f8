// SPDX-License-Identifier: Apache-2.0
import JSON

/// A change of the settings of which each step is tried.
struct SettingsCommit: Sendable {
    let name: String
    /// Whether `/etc/touchline/config.json` is there, which becomes the first revision.
    let hasInstalledFile: Bool
    /// Changes before this one.
    let earlier: Int
    /// nil: the start itself, which makes a revision of the installed file.
    let change: (command: String, arguments: JSONValue)?

    static let installed: JSONValue = [
        "box": ["name": "installed", "tags": ["installed"]], "log": ["level": "warning"],
    ]

    static let all: [SettingsCommit] = [
        SettingsCommit(name: "installed file", hasInstalledFile: true, earlier: 0, change: nil),
        SettingsCommit(
            name: "first revision", hasInstalledFile: false, earlier: 0,
            change: ("config-set", ["path": "box.name", "value": "new"])),
        SettingsCommit(
            name: "later revision", hasInstalledFile: true, earlier: 8,
            change: (
                "config-merge",
                ["settings": ["box": ["name": "new", "tags": ["new"]], "log": ["level": "error"]]]
            )),
        SettingsCommit(
            name: "reset", hasInstalledFile: true, earlier: 1, change: ("config-reset", ["path": "box"])),
        SettingsCommit(
            name: "back to an earlier document", hasInstalledFile: true, earlier: 1,
            change: ("config-replace", ["settings": installed])),
    ]

    static func earlier(_ number: Int) -> JSONValue {
        ["settings": ["box": ["name": .string("earlier \(number)"), "tags": [.string("earlier \(number)")]]]]
    }
}
