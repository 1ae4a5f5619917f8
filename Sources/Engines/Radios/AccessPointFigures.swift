// SPDX-License-Identifier: Apache-2.0
import Radio

/// What was received over an access point, and what was not.
public struct AccessPointFigures: Hashable, Sendable {
    public internal(set) var bssid: HardwareAddress
    /// By `network.wifiApInfo`; nil if nobody has named it.
    public internal(set) var name: String?
    /// nil if it hides its name, or is not known.
    public internal(set) var ssid: String?
    /// When the client was last associated.
    public internal(set) var channel: RadioChannel?
    /// For how long the client was associated, in whole seconds.
    public internal(set) var seconds: Int64 = 0
    /// Packets that came.
    public internal(set) var packets: Int64 = 0
    /// Packets that nothing brought.
    public internal(set) var lost: Int64 = 0
    /// Protection windows.
    public internal(set) var windows: Int64 = 0
    /// Of these, those that could not be repaired.
    public internal(set) var failedWindows: Int64 = 0
    /// Mean of the average signals in dBm; nil if none was told.
    public internal(set) var signal: Int?

    init(bssid: HardwareAddress) { self.bssid = bssid }
}
