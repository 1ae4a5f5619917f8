// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import Compression

extension ChannelOffer {
    /// Reads the body of an announcement.
    /// - Returns: nil for the SDP twin of a session that is announced in JSON too.
    static func read(
        _ form: SAPPacket.Form, _ payload: UnsafeRawBufferPointer, key: Announcer.Key
    ) throws(LineUpFault.Reason) -> ChannelOffer? {
        switch form {
        case .plain(let type): return try read(type, payload, key: key)
        case .compressed:
            let inflated: [UInt8]
            do throws(InflationError) {
                inflated = try Inflation.zlib(payload, limit: SAPPacket.mostInflatedOctets)
            } catch {
                throw .incompressible(error)
            }
            return try inflated.withOctets { (octets) throws(LineUpFault.Reason) -> ChannelOffer? in
                let body: (type: SAPPayloadType, payload: Range<Int>)
                do throws(WireError) {
                    body = try SAPPacket.body(inflated: octets)
                } catch {
                    throw .malformed(error)
                }
                return try read(body.type, UnsafeRawBufferPointer(rebasing: octets[body.payload]), key: key)
            }
        case .encrypted: throw .encrypted
        }
    }

    private static func read(
        _ type: SAPPayloadType, _ payload: UnsafeRawBufferPointer, key: Announcer.Key
    ) throws(LineUpFault.Reason) -> ChannelOffer? {
        switch type {
        case .announcement:
            do throws(AnnouncementError) {
                return ChannelOffer(try Announcement(decoding: payload))
            } catch {
                if case .versionMismatch(let version) = error { throw .versionMismatch(version) }
                throw .invalidJSON(error)
            }
        case .sessionDescription:
            let session: SessionDescription
            do throws(WireError) {
                session = try SessionDescription(parsing: payload)
            } catch {
                throw .malformed(error)
            }
            guard session.value(ofAttribute: SessionDescription.twinAttribute) == nil else { return nil }
            guard let offer = ChannelOffer(session, key: key) else { throw .unplayable(session.codings) }
            return offer
        case .other(let mimeType): throw .unknownType(mimeType)
        }
    }
}
