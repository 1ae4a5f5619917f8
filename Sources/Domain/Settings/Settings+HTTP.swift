// SPDX-License-Identifier: Apache-2.0
import Shapes

extension Settings {
    public struct HTTP: Equatable, Sendable {
        public var isEnabled: Bool
        /// TCP port; 0 takes any free port.
        public var port: UInt16
        public var role: Role

        /// The role of every client that comes by HTTP; it decides which commands it may give.
        public enum Role: String, Sendable, CaseIterable { case viewer, `operator`, administrator }
    }

    static let httpFields = [
        FieldDescription("isEnabled", .boolean, .defaulted(true), "Whether the API and the page are served."),
        FieldDescription(
            "port", .integer(0...65_535), .defaulted(8_080),
            "TCP port; 0 takes a free one, which the command status shows."),
        FieldDescription(
            "role", .choice(HTTP.Role.allCases.map(\.rawValue)), .defaulted("operator"),
            "Role of every HTTP client. Any process of the box can be one."),
    ]
}
