// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Time
import Venue

struct ShowService: Command {
    var reason: String?

    static let about = About(
        "service", "Show whether the service is up, and why not",
        help: """
            Down as long as there is a reason: NotRunning (1), nothing listens; WiFiDown (2), no uplink is up, WiFi or \
            wired; NoChannels (4), the line-up is empty; PoorQuality (8), too much of what plays is lost. health of the \
            settings says how long each has to last.
            """,
        form: .record, example: "")
    static let shape = Shape<Self>([
        .option(
            "reason", \.reason, .absentOr(.text(1...64)),
            "Tell of this reason whether it is one; config/ALIASES.md has its other spellings.")
    ])

    func run(on health: Health) throws(Status) -> ServiceReport {
        var report = health.report
        guard let reason else { return report }
        guard let named = ServiceState.Reasons(named: reason) else {
            let known = ServiceState.Reasons.allNames.joined(separator: ", ")
            throw .failure(.failed, "reason is '\(reason)'; expected one of \(known)")
        }
        report.asked = named
        return report
    }
}

struct ServiceReport: StateAnswer {
    struct UplinkRow: Answer {
        let uplink: Uplink

        static let shape = Shape<Self>([
            .value("name", \.uplink.name, .text, "of the interface"),
            .value("kind", \.uplink.kind, .choice, "WiFi or a wire"),
            .value("isUp", \.uplink.isUp, .boolean, "whether it has a carrier or is associated"),
        ])
    }

    let state: ServiceState
    let since: WallTime
    let age: Nanoseconds
    let isConnectedToVenue: Bool?
    let uplinks: [Uplink]
    /// The reason that was asked for; nil if none was.
    var asked: ServiceState.Reasons?

    private var isReason: Bool? { asked.map { state.reasons.contains($0) } }
    private var rows: [UplinkRow] { uplinks.map { UplinkRow(uplink: $0) } }

    static let shape = Shape<Self>(
        Field.ofState + [
            .value("since", \.since.description, .text, "when it became so"),
            .value("sinceMs", \.age.milliseconds, .integer, "for how long it has been so"),
            .value(
                "isConnectedToVenue", \.isConnectedToVenue, .optional(.boolean),
                "licensed channels of license.venueName are heard; null: not known yet"),
            .value(
                "uplinks", \.rows, .list(of: .row),
                "interfaces that the service may use: name, kind (wifi or wired), isUp"),
            .unlessNil("isReason", \.isReason, .boolean, "whether the one that was asked for is; absent: none was"),
        ])
}
