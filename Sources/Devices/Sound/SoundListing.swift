// SPDX-License-Identifier: Apache-2.0

/// The sound cards of this machine with their playback devices, in the kernel's order.
public struct SoundListing: Hashable, Sendable {
    public struct Card: Hashable, Sendable {
        public var number: Int
        /// The card's name within PCM names, such as `vc4hdmi0`.
        public var id: String
        /// Names the card's configuration in libasound, such as `HDA-Intel`.
        public var driver: String
        /// The devices that can play.
        public var devices: [Device]

        public init(number: Int, id: String, driver: String, devices: [Device]) {
            self.number = number
            self.id = id
            self.driver = driver
            self.devices = devices
        }
    }

    public struct Device: Hashable, Sendable {
        public var number: Int
        /// The driver's name for it, such as `HDMI 0` or `ALC887-VD Analog`.
        public var name: String
        /// What the device reports about the display connected to it.
        public var display: Display

        public init(_ number: Int, _ name: String, display: Display = .unknown) {
            self.number = number
            self.name = name
            self.display = display
        }
    }

    /// Whether a display is connected to a device.
    public enum Display: Hashable, Sendable {
        /// The display has reported what it can play (ELD).
        case connected
        case absent
        /// The device reports nothing about displays: it is not a display output, or its driver cannot tell.
        case unknown
    }

    public var cards: [Card]

    public init(_ cards: [Card]) { self.cards = cards }
}
