// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// Commands that show whether the service is up (SVM-90, 98).
    static let health: [CommandDescription] = [
        CommandDescription(
            "service", "Show whether the service is up, and why not",
            help: """
                Down as long as there is a reason: NotRunning (1), nothing listens; WiFiDown (2), no uplink is up, WiFi or \
                wired; NoChannels (4), the line-up is empty; PoorQuality (8), too much of what plays is lost. health of the \
                settings says how long each has to last.
                """,
            answer: .record([
                .answer("state", "up or down"),
                .answer("reasons", "sum of the bits of the reasons; 0: up"),
                .answer("reasonNames", "their names, the one that the slate shows first"),
                .answer("since", "when it became so"),
                .answer("sinceMs", "for how long it has been so"),
                .answer(
                    "isConnectedToVenue", "licensed channels of license.venueName are heard; null: not known yet"),
                .answer("uplinks", "interfaces that the service may use: name, kind (wifi or wired), isUp"),
            ]))
    ]
}
