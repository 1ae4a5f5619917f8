// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// A television, or a box that plays its part, that was found on the link.
public struct Television: Hashable, Sendable {
    /// By which it is recognised: USN.
    public let uniqueName: String
    /// As people know it; perhaps empty.
    public let name: String
    public let services: CompanionApplication
}
