// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import JSON
import Testing
import Venue

@testable import ControlClient

@Suite final class FileFetchTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-fetch-\(UUID())").path
    private var path: String { directory + "/it.tli" }
    private let file = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    init() throws { try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// A service that has this file.
    private final class Service {
        let file: [UInt8]
        /// Pieces that it gives before it ends.
        var left = Int.max
        var offsets: [Int] = []

        init(_ file: [UInt8]) { self.file = file }

        var fetch: FileFetch {
            FileFetch { [self] offset in
                guard left > 0 else { throw Status.failure(.unreachable, "gone") }
                left -= 1
                offsets.append(offset)
                guard offset <= file.count else { throw Status.failure(.usage, "offset: behind the end") }
                let data = file[offset..<min(offset + 7_000, file.count)]
                return try FilePiece(
                    [
                        "octets": .integer(Int64(file.count)), "next": .integer(Int64(data.endIndex)),
                        "data": .string(Base64.encode(Array(data))),
                    ], at: offset)
            }
        }
    }

    private var written: [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }

    @Test func piecesAreTheFile() throws {
        #expect(try Service(file).fetch.whole() == file)
        #expect(try Service([]).fetch.whole() == [])
        try Service(file).fetch.write(to: path)
        #expect(written == file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["it.tli"])
    }

    /// Wherever it is interrupted, the next call goes on, and fetches but a little of what is there.
    @Test func whoWasInterruptedGoesOn() throws {
        for pieces in 0..<5 {
            let service = Service(file)
            service.left = pieces
            #expect(throws: Status.self) { try service.fetch.write(to: path) }
            #expect(written == nil)
            (service.left, service.offsets) = (.max, [])
            try service.fetch.write(to: path)
            #expect(written == file)
            let fetched = service.offsets.count
            #expect(fetched <= 6 - pieces, "\(service.offsets)")
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// What is there of another file is no beginning of this one.
    @Test(arguments: [10, 5_000, 30_000, 40_000]) func whatIsThereOfAnotherFileIsNotUsed(octets: Int) throws {
        let other = Data(repeating: 7, count: octets)
        #expect(FileManager.default.createFile(atPath: path + ".new", contents: other))
        try Service(file).fetch.write(to: path)
        #expect(written == file)
    }

    @Test func aWholeFileThatHadNoNameYetIsFetched() throws {
        #expect(FileManager.default.createFile(atPath: path + ".new", contents: Data(file)))
        let service = Service(file)
        try service.fetch.write(to: path)
        #expect(written == file && service.offsets == [file.count - FileFetch.overlap, file.count])
    }

    @Test(
        arguments: [
            [:], ["octets": 3, "next": 3, "data": "QUJD!"], ["octets": 3, "next": 2, "data": "QUJD"],
            ["octets": 2, "next": 3, "data": "QUJD"], ["octets": 9, "next": 0, "data": ""],
            ["octets": -1, "next": 0, "data": ""], ["octets": 67_108_865, "next": 3, "data": "QUJD"],
            ["octets": 9_223_372_036_854_775_807, "next": -9_223_372_036_854_775_807, "data": "QUJD"],
        ] as [JSONValue])
    func whatIsNoPieceIsRefused(answer: JSONValue) throws {
        #expect(throws: Status.self) { try FilePiece(answer, at: 0) }
    }
}
