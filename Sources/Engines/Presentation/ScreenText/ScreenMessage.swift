// SPDX-License-Identifier: Apache-2.0
import Time

/// A message to the viewers.
public struct ScreenMessage: Hashable, Sendable {
    public var text: String
    /// Whether the message is shown above everything else until it is withdrawn.
    public var isEmergency: Bool

    public init(_ text: String, isEmergency: Bool = false) {
        self.text = text
        self.isEmergency = isEmergency
    }
}
