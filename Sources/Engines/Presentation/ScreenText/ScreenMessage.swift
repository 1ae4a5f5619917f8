// SPDX-License-Identifier: Apache-2.0
import Time

/// What somebody says to everybody in front of the screen.
public struct ScreenMessage: Hashable, Sendable {
    public var text: String
    /// Above everything, until it is taken back.
    public var isEmergency: Bool

    public init(_ text: String, isEmergency: Bool = false) {
        self.text = text
        self.isEmergency = isEmergency
    }
}
