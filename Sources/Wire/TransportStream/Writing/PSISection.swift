// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Writes sections with the long syntax.
enum PSISection {
    /// - Parameter marks: the four bits before section_length: 0xB by ISO/IEC 13818-1, 0xF by ETSI EN 300 468.
    /// - Parameter number: section_number and last_section_number.
    /// - Parameter limit: the largest section_length allowed.
    static func bytes(
        tableID: UInt8, marks: UInt16, tableExtension: UInt16, version: UInt8, number: (UInt8, last: UInt8) = (0, 0),
        limit: Int = 1_021, body: (inout WireWriter) -> Void
    ) -> [UInt8] {
        var out = WireWriter()
        out.write(tableID)
        out.write(UInt16(0))
        out.write(tableExtension)
        out.write(0xC1 | (version & 0x1F) << 1)
        out.write(number.0)
        out.write(number.last)
        body(&out)
        let length = out.count - SectionHeader.lengthFieldEnd + 4
        precondition(length <= limit)
        out.overwrite(marks << 12 | UInt16(length), at: 1)
        out.write(CRC32MPEG.checksum(of: out.bytes))
        return out.bytes
    }
}

extension PAT {
    /// The whole table as one section.
    /// - Precondition: there are at most 253 programs.
    public func section(version: UInt8) -> [UInt8] {
        PSISection.bytes(tableID: PAT.tableID, marks: 0xB, tableExtension: transportStreamID, version: version) { out in
            for program in programs {
                out.write(program.number)
                out.write(0xE000 | program.mapPID & 0x1FFF)
            }
        }
    }
}

extension PMT {
    /// The whole table as one section.
    /// - Precondition: the streams fit one section of 1024 octets.
    public func section(version: UInt8) -> [UInt8] {
        PSISection.bytes(tableID: PMT.tableID, marks: 0xB, tableExtension: programNumber, version: version) { out in
            out.write(0xE000 | (pcrPID ?? PID.null) & 0x1FFF)
            out.write(UInt16(0xF000))
            for stream in streams { stream.write(to: &out) }
        }
    }
}

extension ElementaryStream {
    func write(to out: inout WireWriter) {
        out.write(type)
        out.write(0xE000 | pid & 0x1FFF)
        let place = out.count
        out.write(UInt16(0))
        if let registration {
            out.write(Descriptors.Tag.registration)
            out.write(UInt8(4))
            out.write(registration)
        }
        if let componentTag {
            out.write(Descriptors.Tag.streamIdentifier)
            out.write(UInt8(1))
            out.write(componentTag)
        }
        if let language, language.utf8.count == 3 {
            out.write(Descriptors.Tag.language)
            out.write(UInt8(4))
            out.write(contentsOf: language.utf8)
            out.write(audioType)
        }
        if channels > 0 {
            out.write(Descriptors.Tag.extension)
            out.write(UInt8(2))
            out.write(Descriptors.Tag.opus)
            out.write(UInt8(truncatingIfNeeded: channels))
        }
        out.overwrite(0xF000 | UInt16(out.count - place - 2), at: place)
    }
}

extension SDT {
    /// The whole table as one section. Names are cut between characters to fit the descriptor.
    /// - Precondition: the services fit one section of 1024 octets.
    public func section(version: UInt8) -> [UInt8] {
        PSISection.bytes(tableID: SDT.tableID, marks: 0xF, tableExtension: transportStreamID, version: version) { out in
            out.write(originalNetworkID)
            out.write(UInt8(0xFF))
            for service in services {
                let provider = DVBText.encode(service.provider, limit: 100)
                let name = DVBText.encode(service.name, limit: 150)
                let length = 3 + provider.count + name.count
                out.write(service.id)
                out.write(UInt8(0xFC))
                out.write(0x8000 | UInt16(length + 2))  // running, not scrambled
                out.write(Descriptors.Tag.service)
                out.write(UInt8(length))
                out.write(service.type)
                out.write(UInt8(provider.count))
                out.write(contentsOf: provider)
                out.write(UInt8(name.count))
                out.write(contentsOf: name)
            }
        }
    }
}
