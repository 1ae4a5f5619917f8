// SPDX-License-Identifier: Apache-2.0
import Time

/// A message to everybody in front of the screen.
public struct ScreenMessage: Hashable, Sendable {
    public var text: String
    /// Whether it is shown above everything, until it is withdrawn.
    public var isEmergency: Bool

    public init(_ text: String, isEmergency: Bool = false) {
        self.text = text
        self.isEmergency = isEmergency
    }
}
