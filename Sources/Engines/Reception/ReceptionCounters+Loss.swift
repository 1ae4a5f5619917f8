// SPDX-License-Identifier: Apache-2.0
import Venue

extension ReceptionCounters {
    /// Whether packets come without sequence numbers: UDP without RTP.
    public func isBare(_ encapsulation: Transport.Encapsulation) -> Bool {
        switch encapsulation {
        case .raw: true
        case .automatic: payloadType < 0
        case .rtp, .elementary: false
        }
    }

    /// Packets that were received, and those that were lost after repair. Where only the transport stream numbers its
    /// packets, both are packets of that (SVM-92).
    public func balance(in encapsulation: Transport.Encapsulation) -> (received: Int64, lost: Int64) {
        isBare(encapsulation)
            ? (tsPackets, tsMissing) : (datagrams - duplicatePackets - repairDatagrams, lostPackets)
    }

    /// Packets that were lost after repair. Without sequence numbers, loss shows only as discontinuities of the transport
    /// stream.
    public func losses(in encapsulation: Transport.Encapsulation) -> Int64 {
        isBare(encapsulation) ? tsDiscontinuities : lostPackets
    }
}
