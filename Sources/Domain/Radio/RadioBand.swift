// SPDX-License-Identifier: Apache-2.0

/// A band of IEEE 802.11. Numbers of channels are those of one band: number 1 is there in several.
public enum RadioBand: Hashable, Sendable {
    case gigahertz2
    /// With the channels from 4.9 GHz on.
    case gigahertz5
    case gigahertz6
    case gigahertz60

    /// nil if the frequency is in none.
    /// - Parameter frequency: MHz.
    public init?(frequency: UInt32) {
        switch frequency {
        case 2_401..<2_495: self = .gigahertz2
        case 4_900..<5_925: self = .gigahertz5
        case 5_925..<7_126: self = .gigahertz6
        case 57_000..<71_001: self = .gigahertz60
        default: return nil
        }
    }

    /// nil if no channel of the band has its centre there.
    /// - Parameter frequency: MHz.
    public func channelNumber(at frequency: UInt32) -> Int? {
        let frequency = Int(frequency)
        return switch self {
        case .gigahertz2: frequency == 2_484 ? 14 : Self.number(frequency, from: 2_407, by: 5, in: 1...13)
        // IEEE 802.11 Annex E: channels 182...196 are counted from 4 GHz on.
        case .gigahertz5:
            Self.number(frequency, from: 4_000, by: 5, in: 182...196)
                ?? Self.number(frequency, from: 5_000, by: 5, in: 1...181)
        // Every fourth number is that of a channel of 20 MHz, and 2 that of one below them; the others are centres of
        // wider channels.
        case .gigahertz6:
            frequency == 5_935 ? 2 : Self.number(frequency, from: 5_955, by: 20, in: 0...58).map { 4 * $0 + 1 }
        case .gigahertz60: Self.number(frequency, from: 56_160, by: 2_160, in: 1...6)
        }
    }

    private static func number(_ frequency: Int, from start: Int, by step: Int, in numbers: ClosedRange<Int>) -> Int? {
        let (number, rest) = (frequency - start).quotientAndRemainder(dividingBy: step)
        return rest == 0 && numbers.contains(number) ? number : nil
    }
}
