// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import System
import Venue

/// A piece of a file that the service has.
struct FilePiece: Equatable {
    /// Octets of the whole file.
    let octets: Int
    let data: [UInt8]

    /// Octets of the longest file.
    static let mostOctets = 64 << 20

    /// - Parameters:
    ///   - answer: of the service.
    ///   - offset: at which the piece was asked for.
    init(_ answer: JSONValue, at offset: Int) throws(Status) {
        guard let octets = answer["octets"]?.integer, let next = answer["next"]?.integer,
            let data = answer["data"]?.string.flatMap({ Base64.decode($0) }), octets <= Self.mostOctets,
            next == Int64(offset + data.count), next <= octets, !data.isEmpty || next == octets
        else { throw .failure(.failed, "the service sent no piece of a file at octet \(offset)") }
        (self.octets, self.data) = (Int(octets), data)
    }
}

/// Fetches a file piece by piece.
struct FileFetch {
    /// Octets before the end of what is there that are fetched once more, to see that they are of the same file.
    static let overlap = 4_096

    /// Asks for the piece at an offset.
    let piece: (_ offset: Int) throws -> FilePiece

    /// The whole file.
    func whole() throws -> [UInt8] {
        var file: [UInt8] = []
        try rest(from: 0) { file += $0 }
        return file
    }

    /// Writes the file. What was there before stays until it is whole; what an earlier call has fetched is not fetched
    /// again.
    func write(to path: String) throws {
        let part = path + DurableFile.suffix
        let there = try DurableFile.read(part, limit: FilePiece.mostOctets) ?? []
        let start = try isBeginning(there) ? there.count : 0
        if start == 0 { try DurableFile.create(part, with: []) }
        try rest(from: start) { try DurableFile.extend(part, by: $0) }
        try DurableFile.flush(part)
        try DurableFile.publish(path)
    }

    /// Whether the file begins with these octets, as far as their end tells.
    private func isBeginning(_ there: [UInt8]) throws -> Bool {
        guard !there.isEmpty else { return false }
        let last = there.suffix(Self.overlap)
        do {
            return try piece(there.count - last.count).data.starts(with: last)
        } catch let status as Status where status.code == .usage {
            return false  // the file is shorter
        }
    }

    private func rest(from start: Int, _ take: ([UInt8]) throws -> Void) throws {
        var offset = start
        while true {
            let next = try piece(offset)
            try take(next.data)
            offset += next.data.count
            if offset >= next.octets { return }
        }
    }
}
