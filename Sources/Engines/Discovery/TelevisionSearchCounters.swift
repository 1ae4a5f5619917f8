// SPDX-License-Identifier: Apache-2.0

/// What a search for televisions counts.
public struct TelevisionSearchCounters: Hashable, Sendable {
    public var searches: UInt64 = 0
    /// Datagrams that are no SSDP message that is read.
    public var messagesMalformed: UInt64 = 0
    /// Messages from other networks, and of devices that say they are elsewhere.
    public var messagesForeign: UInt64 = 0
    /// Devices that there was no room for.
    public var devicesLeftOut: UInt64 = 0
    /// Descriptions that did not come or could not be read.
    public var descriptionsFailed: UInt64 = 0

    public init() {}
}
