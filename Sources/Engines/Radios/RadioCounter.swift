// SPDX-License-Identifier: Apache-2.0
import Radio

/// A counter that a driver keeps of each station, and that begins with the association. The raw value is its name in
/// reports.
public enum RadioCounter: String, CaseIterable, Hashable, Sendable {
    case receivedOctets, transmittedOctets, receivedPackets, transmittedPackets, transmitRetries, transmitFailures
    /// Only clients have it.
    case beaconLosses

    /// nil if the driver does not count it.
    func value(of figures: StationFigures) -> UInt64? {
        switch self {
        case .receivedOctets: figures.octetsReceived
        case .transmittedOctets: figures.octetsSent
        case .receivedPackets: figures.packetsReceived.map { UInt64($0) }
        case .transmittedPackets: figures.packetsSent.map { UInt64($0) }
        case .transmitRetries: figures.retries.map { UInt64($0) }
        case .transmitFailures: figures.failures.map { UInt64($0) }
        case .beaconLosses: figures.beaconLosses.map { UInt64($0) }
        }
    }
}
