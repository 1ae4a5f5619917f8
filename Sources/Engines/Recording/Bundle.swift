// SPDX-License-Identifier: Apache-2.0
import Bytes
import Compression

/// An incident as one file; config/INCIDENTS.md describes it.
///
///     file     "TLINCID1"  version:16  0:16  sections  "END "  zeros
///     section  kind:32  flow:8  0:8  piece:16  length:32  plain:32  checksum:32  gzip
///
/// `length` is that of the compressed octets, `plain` of what they hold; the check sum is CRC-32C of header (with a check
/// sum of 0) and compressed octets. All integers are big-endian. What matters most stands first, so that the beginning of
/// a file is of use without the rest.
public struct Bundle: Equatable, Sendable {
    public var sections: [BundleSection]
    /// Where the file was cut; nil if it is whole.
    public private(set) var cut: RecordingError?

    public static let magic = Array("TLINCID1".utf8)
    public static let version: UInt16 = 1
    private static let end = Array("END ".utf8)
    /// Octets of the longest file, its sections at most, and octets of all these together, not compressed.
    public static let (mostOctets, mostSections, mostPlainOctets) = (64 << 20, 4_096, 512 << 20)

    public init(_ sections: [BundleSection]) { self.sections = sections }

    // MARK: Writing

    public static var beginning: [UInt8] {
        var writer = WireWriter()
        writer.write(contentsOf: magic)
        writer.write(version)
        writer.write(UInt16(0))
        return writer.bytes
    }

    public static var ending: [UInt8] { framed(end, flow: 0, piece: 0, plain: 0, []) }

    /// A section as the file has it; nil if there is no memory to compress it.
    public static func framed(_ section: BundleSection) -> [UInt8]? {
        precondition(section.octets.count <= BundleSection.mostOctets)
        guard let compressed = Deflation.gzip(section.octets) else { return nil }
        return framed(
            Array(section.kind.rawValue.utf8), flow: section.flow, piece: section.piece, plain: section.octets.count,
            compressed)
    }

    private static func framed(
        _ kind: [UInt8], flow: UInt8, piece: UInt16, plain: Int, _ compressed: [UInt8]
    ) -> [UInt8] {
        var writer = WireWriter(reserving: BundleHeader.octets + compressed.count)
        BundleHeader(kind, flow: flow, piece: piece, length: compressed.count, plain: plain).write(to: &writer)
        writer.write(contentsOf: compressed)
        writer.overwrite(CRC32(.castagnoli, writer.bytes).value, at: BundleHeader.checksumPlace)
        return writer.bytes
    }

    // MARK: Reading

    /// Reads whatever octets there are. A file that was cut has the sections before that.
    /// - Throws: what is wrong with a file that is another one, of another version, or was altered.
    public init(parsing file: [UInt8]) throws(RecordingError) {
        guard file.starts(with: Self.magic) else {
            throw RecordingError("octet 0", "this is no bundle of an incident of Touchline")
        }
        sections = []
        let failure: RecordingError? = file.withUnsafeBytes { bytes in
            var reader = WireReader(bytes, in: Self.magic.count..<bytes.count)
            do throws(RecordingError) {
                try Self.checkVersion(&reader)
                while try readSection(&reader) {}
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private static func checkVersion(_ reader: inout WireReader) throws(RecordingError) {
        guard let version = try? reader.read(UInt16.self), (try? reader.skip(2)) != nil else {  // cut
            throw RecordingError("octet \(magic.count)", "the file ends in its header")
        }
        guard version == Self.version else {
            throw RecordingError(
                "octet \(magic.count)", "version \(version) of the bundle; expected \(Self.version)")
        }
    }

    /// - Returns: false behind the last section.
    private mutating func readSection(_ reader: inout WireReader) throws(RecordingError) -> Bool {
        let start = reader.offset
        let place = "section \(sections.count) at octet \(start)"
        guard reader.remaining >= BundleHeader.octets else { return isCut(place) }
        guard sections.count < Self.mostSections else {
            throw RecordingError(place, "expected at most \(Self.mostSections) sections")
        }
        guard let header = try? BundleHeader(from: &reader) else {
            throw RecordingError(place, "this is no header of a section")
        }
        guard let compressed = try? reader.take(header.length) else { return isCut(place) }
        var framed = Array(reader.bytes[start..<compressed.upperBound])
        framed.replaceSubrange(BundleHeader.checksumPlace..<BundleHeader.octets, with: [0, 0, 0, 0])
        guard CRC32(.castagnoli, framed).value == header.checksum else {
            throw RecordingError(place, "the check sum is wrong")
        }
        if header.kind == Self.end { return false }
        guard sections.reduce(header.plain, { $0 + $1.octets.count }) <= Self.mostPlainOctets else {
            throw RecordingError(place, "expected at most \(Self.mostPlainOctets) octets in all sections")
        }
        let body: [UInt8]
        do throws(InflationError) {
            body = try Inflation.gzip(Array(reader.bytes[compressed]), limit: header.plain)
        } catch {
            throw RecordingError(place, "it cannot be decompressed: \(error)")
        }
        guard body.count == header.plain else {
            throw RecordingError(place, "expected \(header.plain) octets, found \(body.count)")
        }
        // A later version may add kinds of sections.
        if let kind = BundleSection.Kind(rawValue: String(decoding: header.kind, as: UTF8.self)) {
            sections.append(BundleSection(kind, flow: header.flow, piece: header.piece, body))
        }
        return true
    }

    private mutating func isCut(_ place: String) -> Bool {
        cut = RecordingError(place, "the file ends here")
        return false
    }

    // MARK: Content

    /// The flows that were recorded, with their input, the oldest record first. Pieces that are missing between others
    /// end what is given: nothing before them is used.
    public func flows() throws(RecordingError) -> [(flow: FlowDescription, inputs: [RecordedInput])] {
        var result: [(FlowDescription, [RecordedInput])] = []
        for section in sections where section.kind == .flow {
            let description = try FlowDescription(parsing: section.octets)
            let pieces = sections.filter { $0.kind == .packets && $0.flow == section.flow }
                .sorted { $0.piece < $1.piece }
            var inputs: [[RecordedInput]] = []
            for (index, piece) in pieces.enumerated() where index == Int(piece.piece) {
                do throws(WireError) {
                    inputs.append(try RecordedInput.read(piece.octets))
                } catch {
                    throw RecordingError("packets of \(description.channel), piece \(piece.piece)", "\(error)")
                }
            }
            result.append((description, inputs.reversed().flatMap { $0 }))
        }
        return result
    }
}
