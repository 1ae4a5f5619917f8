// SPDX-License-Identifier: Apache-2.0
import Bytes

extension EIT {
    /// The section. Texts are cut between characters to fit a descriptor; details get one descriptor.
    /// - Precondition: the events fit one section of 4096 octets, begin in 1970 or later and end within 100 hours.
    public func section(version: UInt8) -> [UInt8] {
        let table = isActual ? EIT.actualTableID : EIT.otherTableID
        return PSISection.bytes(
            tableID: table, marks: 0xF, tableExtension: serviceID, version: version,
            number: (sectionNumber, lastSectionNumber), limit: 4_093
        ) { out in
            out.write(transportStreamID)
            out.write(originalNetworkID)
            out.write(lastSectionNumber)
            out.write(table)
            for event in events { event.write(to: &out) }
        }
    }
}

extension EIT.Event {
    func write(to out: inout WireWriter) {
        out.write(id)
        DVBTime.write(start, to: &out)
        DVBTime.write(duration, to: &out)
        let place = out.count
        out.write(UInt16(0))
        for text in texts { text.write(to: &out) }
        if !genres.isEmpty {
            Descriptors.write(Descriptors.Tag.content, to: &out) { out in
                for genre in genres { out.write(genre) }
            }
        }
        if !ratings.isEmpty {
            Descriptors.write(Descriptors.Tag.parentalRating, to: &out) { out in
                for rating in ratings {
                    out.write(contentsOf: (Array(rating.country.utf8) + [0x20, 0x20, 0x20]).prefix(3))
                    out.write(rating.value)
                }
            }
        }
        let flags = UInt16(runningStatus & 7) << 13 | (isScrambled ? 0x1000 : 0)
        out.overwrite(flags | UInt16(out.count - place - 2), at: place)
    }
}

extension EventText {
    func write(to out: inout WireWriter) {
        let letters = (Array((language ?? "").utf8) + [0x20, 0x20, 0x20]).prefix(3)
        Descriptors.write(Descriptors.Tag.shortEvent, to: &out) { out in
            out.write(contentsOf: letters)
            for part in [DVBText.encode(name, limit: 100), DVBText.encode(summary, limit: 150)] {
                out.write(UInt8(part.count))
                out.write(contentsOf: part)
            }
        }
        guard !details.isEmpty else { return }
        Descriptors.write(Descriptors.Tag.extendedEvent, to: &out) { out in
            let part = DVBText.encode(details, limit: 249)
            out.write(UInt8(0))
            out.write(contentsOf: letters)
            out.write(UInt8(0))
            out.write(UInt8(part.count))
            out.write(contentsOf: part)
        }
    }
}
