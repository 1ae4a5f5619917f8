// SPDX-License-Identifier: Apache-2.0
import Bytes
import Commands
import Shapes
import Venue

/// A piece of a file that clients fetch one after the other.
public struct FilePiece: Answer {
    let id: String
    let octets: Int
    let next: Int
    let data: String

    private static let most = 48 << 10

    /// - Parameters:
    ///   - id: of what the file is.
    ///   - offset: octets that the client has already.
    /// - Throws: `.usage` if the file is shorter.
    public init(of file: [UInt8], _ id: String, from offset: Int) throws(Status) {
        guard (0...file.count).contains(offset) else {
            throw .failure(.usage, "offset: \(offset) is behind the end; expected 0...\(file.count)")
        }
        let piece = file[offset..<min(offset + Self.most, file.count)]
        (self.id, octets, next) = (id, file.count, piece.endIndex)
        data = Base64.encode(Array(piece))
    }

    public static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the incident or the capture"),
        .value("octets", \.octets, .count, "of the whole file"),
        .value("next", \.next, .count, "offset of the next piece; equal to octets: this was the last one"),
        .value("data", \.data, .text, "the piece in base64"),
    ])
}
