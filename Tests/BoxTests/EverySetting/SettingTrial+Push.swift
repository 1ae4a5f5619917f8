// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    /// What orders do is seen where they are signed: by `PushTests` of the box.
    static var ofPush: [SettingTrial] {
        let key: JSONValue = [
            "id": "bar-1", "publicKey": "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
            "targets": ["all"],
        ]
        return [
            SettingTrial("push.keys", [key], by: "push-status: the keys") { box in
                let row = try box.answer("push-status").at("/keys/0")
                return row?["id"] == "bar-1" && row?["targets"] == ["all"] && row?["commands"] == ["push"]
            },
            SettingTrial("push.group", "lobby", by: "push-status: the group") { box in
                try box.answer("push-status")["group"] == "lobby"
            },
            SettingTrial(
                "groupCommands.listen", [["address": "239.255.84.71", "port": 7_684, "interface": "lo"]],
                by: "group-commands: the port, which is open"
            ) { box in
                try box.answer("group-commands")["ports"]
                    == [["address": "239.255.84.71", "port": 7_684, "interface": "lo"]]
            },
        ]
    }
}
