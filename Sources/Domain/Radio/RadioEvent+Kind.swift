// SPDX-License-Identifier: Apache-2.0

extension RadioEvent {
    public enum Kind: Hashable, Sendable {
        // MARK: As a client

        /// The interface is connected to the access point at `address`.
        case connected
        /// An attempt to connect failed.
        /// - status: by IEEE 802.11 table 9-50, above 0. nil if the access point did not answer in time.
        case connectionFailed(status: UInt16?)
        /// The connection has ended.
        /// - reason: nil if none was given.
        case disconnected(reason: ReasonCode?, by: Side)
        /// The interface is now connected to another access point, at `address`.
        case roamed

        // MARK: Stations

        /// The driver now knows the station at `address`.
        case stationAppeared
        /// The driver has forgotten the station at `address`.
        case stationGone

        // MARK: Scans

        case scanStarted
        /// The scan is through; its results can be listed.
        case scanEnded
        /// The scan was given up; it may have some results.
        case scanAborted

        // MARK: Channel and rules

        /// The interface is now on this channel.
        case channelSwitched(RadioChannel)
        /// nil if the kernel does not name the domain.
        case regulatoryChanged(RegulatoryDomain?)

        // MARK: Quality of the connection, as it is watched by the driver (CQM)

        /// The signal fell below its threshold.
        /// - signal: dBm; nil if the kernel does not say.
        case signalFell(signal: Int?)
        /// The signal rose above its threshold.
        /// - signal: dBm; nil if the kernel does not say.
        case signalRose(signal: Int?)
        /// No beacons were heard for some time.
        case beaconsLost
        /// So many packets in a row were not acknowledged by the station at `address`.
        case packetsLost(UInt32)
        /// Too many packets to the station at `address` failed.
        /// - percent: of the packets that failed; nil if the kernel does not say.
        case transmissionsFailed(percent: UInt32?)

        // MARK: Interfaces

        case interfaceAppeared(RadioInterface)
        /// Its mode is another one, for example.
        case interfaceChanged(RadioInterface)
        case interfaceGone(RadioInterface)
    }

    /// Which side has ended a connection.
    public enum Side: Hashable, Sendable {
        case accessPoint
        /// This machine: its driver, its kernel, or a program that asked for it.
        case station
    }
}
