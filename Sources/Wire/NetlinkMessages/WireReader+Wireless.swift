// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

/// Values that several messages of nl80211 have.
extension WireReader {
    /// Names of networks are not longer (IEEE 802.11 §9.4.2.2).
    private static let mostNameOctets = 32
    /// More antennas no driver tells (IEEE80211_MAX_CHAINS is 4).
    private static let mostChains = 16

    /// - Throws: `invalid` unless there are six octets.
    mutating func readHardwareAddress() throws(WireError) -> HardwareAddress {
        try expectRemaining(6)
        return HardwareAddress(bits: try read(octets: 6))
    }

    /// nil if it is longer than the standard allows: it comes from a stranger, by radio, and the kernel passes it on.
    mutating func readNetworkName() -> [UInt8]? {
        let range = takeRest()
        return range.count > Self.mostNameOctets ? nil : Array(bytes[range])
    }

    /// Reads an octet with a sign, in dBm.
    mutating func readSignal() throws(WireError) -> Int { Int(try readWhole(Int8.self)) }

    /// Reads hundredths of dBm.
    /// - Returns: dBm, rounded.
    mutating func readPower() throws(WireError) -> Int {
        let power = Int(try readWhole(Int32.self))
        return (power + (power < 0 ? -50 : 50)) / 100
    }

    /// Reads a signal for each antenna. They are numbered from 0 on; those that receive nothing may be missing.
    mutating func readChainSignals() throws(WireError) -> [Int] {
        var signals: [Int] = []
        try forEachAttribute { (_, value) throws(WireError) in
            guard signals.count < Self.mostChains else {
                throw WireError(.limit("nl80211 antennas", UInt64(signals.count)), at: value.offset)
            }
            signals.append(try value.readSignal())
        }
        return signals
    }
}
