// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Venue

/// A television, or a box that plays its part, that was found on the link.
public struct Television: Hashable, Sendable {
    /// By which it is recognised: USN.
    public let uniqueName: String
    /// As people know it; perhaps empty.
    public let name: String
    /// From which it speaks.
    public let address: NumericAddress
    public let services: CompanionApplication

    public init(uniqueName: String, name: String, address: NumericAddress, services: CompanionApplication) {
        (self.uniqueName, self.name, self.address, self.services) = (uniqueName, name, address, services)
    }
}
