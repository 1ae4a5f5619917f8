// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    /// Other users and other machines are seen by `AccessTests` of Interop, guesses by `AccessTests` of the box.
    static var ofAccess: [SettingTrial] {
        [
            SettingTrial("access.groupRole", "viewer", by: "Interop: another user at the socket"),
            SettingTrial("access.loopbackRole", "none", by: "HTTP: nobody looks without a token") { box in
                try box.http("GET", "/v1/version").code == 401
            },
            SettingTrial("access.anonymousRole", "viewer", by: "GateTests: who comes from elsewhere"),
            SettingTrial("access.lockout.tries", 7, by: "LockoutTests"),
            SettingTrial("access.lockout.seconds", 7, by: "LockoutTests"),
            SettingTrial("access.lockout.total", 70, by: "LockoutTests"),
            SettingTrial("access.console.user", "nobody", by: "Interop: a login at the console"),
            SettingTrial("access.console.idleSeconds", 30, by: "Interop: a login at the console"),
            SettingTrial("access.console.isRecoverable", false, by: "AccessTests: the code for lost tokens"),
        ]
    }
}
