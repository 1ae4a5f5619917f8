// SPDX-License-Identifier: Apache-2.0

/// What one tuned channel's network side has counted since it was joined. Totals; each fault once per datagram or packet.
public struct ReceptionCounters: Sendable, Hashable {
    public var datagrams: Int64 = 0
    public var octets: Int64 = 0
    /// Longer than a slot of the receive batch.
    public var truncatedDatagrams: Int64 = 0
    /// No RTP header, or no transport stream behind it.
    public var malformedDatagrams: Int64 = 0
    public var wrongPayloadType: Int64 = 0
    /// Datagrams of a second sender on the group while the first one still sends.
    public var foreignSSRC: Int64 = 0
    /// The sender stayed away and another took over.
    public var ssrcChanges: Int64 = 0
    public var lostPackets: Int64 = 0
    public var duplicatePackets: Int64 = 0
    /// Came out of order and was put back.
    public var reorderedPackets: Int64 = 0
    /// Came after its place had been given up; counted in `lostPackets` too.
    public var latePackets: Int64 = 0
    /// Sequence numbers began anew.
    public var sequenceRestarts: Int64 = 0
    /// Dropped by the kernel because we were too slow.
    public var kernelDrops: Int64 = 0
    public var tsPackets: Int64 = 0
    /// `num_ts_discontinuities` (SVM-112): continuity errors that the stream did not announce.
    public var tsDiscontinuities: Int64 = 0
    public var tsDuplicates: Int64 = 0
    public var tsSignalledDiscontinuities: Int64 = 0
    public var tsTransportErrors: Int64 = 0
    /// Octets between packets that are no packet.
    public var tsSkippedOctets: Int64 = 0
    public var randomAccessPoints: Int64 = 0

    public init() {}
}
