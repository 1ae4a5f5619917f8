// SPDX-License-Identifier: Apache-2.0
import Hosting
import Recording
import Shapes

/// What the flight recorder keeps.
struct RecorderSettings: SettingsSection, Equatable {
    static let name = "recorder"
    static let help = "The flight recorder: what is kept when something goes wrong. See config/INCIDENTS.md."

    var isOn = true
    var packetS = 10
    var keepsPayload = false
    var pictureS = 10
    var incidentsMB = 16
    var incidentCount = 20

    static let shape = Shape<Self>([
        .setting(
            "enabled", \.isOn, .boolean, .atOnce, "Whether anything is recorded; channels from the next tuning on."),
        .setting(
            "packetS", \.packetS, .integer(1...60), .atOnce,
            "Seconds of packet headers that there is room for, from the next tuning on; slow channels have more."),
        .setting(
            "keepsPayload", \.keepsPayload, .boolean, .atOnce,
            "Whether pictures and sound are recorded too, which the licence of a channel may forbid."),
        .setting(
            "pictureS", \.pictureS, .integer(0...3_600), .atOnce,
            "Seconds between small pictures of the screen; 0: none are recorded."),
        .setting(
            "incidentsMB", \.incidentsMB, .integer(1...1_024), .atOnce,
            "Megabytes of incidents on the disk at most; the oldest give way. As many are written in an hour."),
        .setting(
            "incidentCount", \.incidentCount, .integer(1...1_000), .atOnce,
            "Incidents on the disk at most; the oldest give way."),
    ])

    var options: FlowRecordings.Options {
        var options = FlowRecordings.Options()
        (options.isOn, options.seconds, options.keepsPayload) = (isOn, packetS, keepsPayload)
        return options
    }

    var limits: IncidentShelf.Limits { .init(octets: incidentsMB << 20, count: incidentCount) }
}
