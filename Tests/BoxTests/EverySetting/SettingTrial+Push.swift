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
                try box.answer("push-status")["keys"] == [["id": "bar-1", "targets": ["all"]]]
            },
            SettingTrial("push.group", "lobby", by: "push-status: the group") { box in
                try box.answer("push-status")["group"] == "lobby"
            },
        ]
    }
}
