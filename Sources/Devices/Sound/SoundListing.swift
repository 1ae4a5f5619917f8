// SPDX-License-Identifier: Apache-2.0

/// The cards of this machine and what they can play, in their order.
public struct SoundListing: Hashable, Sendable {
    public struct Card: Hashable, Sendable {
        public var number: Int
        /// As names of PCMs have it: `vc4hdmi0`.
        public var id: String
        /// As libasound's own configuration of cards is named: `HDA-Intel`.
        public var driver: String
        /// Those that play.
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
        /// As the driver names it: `HDMI 0`, `ALC887-VD Analog`.
        public var name: String
        /// What it says of the display at its end.
        public var display: Display

        public init(_ number: Int, _ name: String, display: Display = .unknown) {
            self.number = number
            self.name = name
            self.display = display
        }
    }

    public enum Display: Hashable, Sendable {
        /// It has told what it can play (ELD).
        case connected
        case absent
        /// The device tells nothing of displays: it is none of theirs, or its driver does not know.
        case unknown
    }

    public var cards: [Card]

    public init(_ cards: [Card]) { self.cards = cards }
}
