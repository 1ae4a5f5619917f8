// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    /// What a television makes of the others is seen where there is one: by the tests of the feature.
    static var ofSync: [SettingTrial] {
        let stated: JSONValue = ["wcUrl": "udp://127.0.0.1:9", "tsUrl": "ws://127.0.0.1:9/ts"]
        let others = [
            "selectors", "media", "leader", "strategy", "deadBandMs", "intervalMs", "jumpMs", "withoutTimeline",
        ]
        let serving: JSONValue = ["isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0]
        return [
            SettingTrial("sync.discovery.searches", true, by: "sync-find: televisions are listed") { box in
                try box.answer("sync-find")["televisions"]?.array != nil
            }.given(["sync": ["discovery": ["interface": "lo"]]]),
            SettingTrial("sync.discovery.isAnnounced", true, by: "stats: a group of the announcement") { box in
                try box.answer("stats").at("/stats/announcement") != nil
            }.given(["sync": ["serve": serving, "discovery": ["interface": "lo"]]]),
            SettingTrial("sync.group.name", "lobby", by: "sync-group: the group") { box in
                try box.answer("sync-group")["name"] == "lobby"
            }.given(["sync": ["serve": serving, "group": ["key": "0123456789abcdef"]]]),
            SettingTrial("sync.television", "ws://127.0.0.1:9/cii", by: "sync: whom it follows") { box in
                try box.answer("sync")["television"] == "ws://127.0.0.1:9/cii"
            },
            SettingTrial("sync.stated", stated, by: "sync: whom it follows") { box in
                try box.answer("sync")["television"] == "ws://127.0.0.1:9/ts"
            },
            SettingTrial("sync.calibrationMs", 25, by: "sync: the calibration") { box in
                try box.answer("sync")["calibrationMs"] == 25
            },
            SettingTrial("sync.serve.isEnabled", true, by: "sync: where it is followed") { box in
                try box.answer("sync")["served"]?.string?.hasPrefix("ws://127.0.0.1:") ?? false
            }.given(["sync": ["serve": ["addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0]]]),
        ] + others.map { SettingTrial("sync.\($0)", by: "SyncTests: the controller and the companion") }
            + ["interface", "port", "name"].map { SettingTrial("sync.discovery.\($0)", by: "DiscoveryTests of Sync") }
            + ["key", "isAppointed"].map { SettingTrial("sync.group.\($0)", by: "GroupTests of Sync") }
    }
}
