// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

@testable import Settings

@Suite struct BoardDecodersTests {
    private static func problems(_ text: String) -> [String] {
        do throws(SettingsError) {
            _ = try BoardDecoders(parsing: Array(text.utf8))
            return []
        } catch {
            guard case .invalid(let problems) = error else { return ["\(error)"] }
            return problems.map(\.description)
        }
    }

    @Test func everyFieldIsRead() throws {
        let text = """
            {"compatible": ["maker,board"], "devices": [
              {"driver": "vpu", "instances": 4, "pixelsPerSecond": 124416000, "streams": [
                {"codec": "h264", "profiles": ["Main", "High"], "width": 1920, "height": 1088, "picturesPerSecond": 60,
                 "instances": 2}, {"codec": "hevc"}]},
              {"driver": "other"}, {"driver": "none", "instances": 0, "streams": []}]}
            """
        let board = try BoardDecoders(parsing: Array(text.utf8))
        #expect(board.compatible == ["maker,board"])
        #expect(board.devices.map(\.driver) == ["vpu", "other", "none"])
        #expect(board.devices[0].instances == 4 && board.devices[0].pixelsPerSecond == 124_416_000)
        let stream = try #require(board.devices[0].streams?.first)
        #expect(stream.codec == "h264" && stream.profiles == ["Main", "High"] && stream.instances == 2)
        #expect(stream.width == 1_920 && stream.height == 1_088 && stream.picturesPerSecond == 60)
        #expect(board.devices[0].streams?.last?.profiles == nil && board.devices[1].streams == nil)
        #expect(board.devices[1].instances == nil && board.devices[2].instances == 0)
        #expect(board.devices[2].streams == [])
    }

    @Test func aLicenceIsAFileAndItsDigest() throws {
        let digest = String(repeating: "0a", count: 32)
        func board(_ licence: String) -> String {
            #"{"compatible":["a"],"devices":[{"driver":"v","licence":\#(licence)}]}"#
        }
        let right = try BoardDecoders(parsing: Array(board(#"{"file":"/etc/l","sha256":"\#(digest)"}"#).utf8))
        #expect(right.devices.first?.licence == BoardDecoders.Licence(file: "/etc/l", sha256: digest))
        let upper = digest.uppercased()
        #expect(
            Self.problems(board(#"{"file":"l","sha256":"\#(upper)"}"#)) == [
                "/devices/0/licence/file is \"l\"; expected an absolute path",
                "/devices/0/licence/sha256 is \"\(upper)\"; expected 64 hexadecimal digits in lower case",
            ])
        #expect(Self.problems(board(#"{"file":"/etc/l"}"#)).count == 1)
    }

    @Test func eachProblemNamesFieldValueAndExpectation() {
        #expect(
            Self.problems("{}") == [
                "/compatible: expected an array of 1...16 elements", "/devices: expected an array of 0...16 elements",
            ])
        #expect(
            Self.problems(#"{"compatible":["a"],"devices":[{"driver":"v","instances":65}]}"#)
                == ["/devices/0/instances is 65; expected an integer, 0...64"])
        #expect(
            Self.problems(#"{"compatible":["a"],"devices":[{"driver":"v","streams":[{"codec":"av1"}]}]}"#)
                == [
                    "/devices/0/streams/0/codec is \"av1\"; expected one of h264, hevc, mpeg2Video, vp8, vp9, fwht"
                ])
        #expect(
            Self.problems(#"{"compatible":["a"],"devices":[{"driver":"v"},{"driver":"v"}]}"#)
                == ["/devices/1/driver is \"v\"; expected a driver that no other device names"])
        #expect(
            Self.problems(
                #"{"compatible":["a"],"devices":[{"driver":"v","streams":[{"codec":"vp8"},{"codec":"vp8"}]}]}"#)
                == ["/devices/0/streams/1/codec is \"vp8\"; expected a codec that no other stream of the device has"])
        #expect(
            Self.problems(#"{"compatible":["a"],"devices":[],"device":1}"#).first?.hasPrefix("/device is no") == true)
        #expect(Self.problems("[").first?.hasPrefix("not JSON") == true)
    }

    /// Every piece and every damage of the boards' own files is taken or refused.
    @Test func nothingTraps() throws {
        let text = try ConfigFiles.octets(ConfigFiles.board("qemu-virt"))
        for count in 0..<(text.count - 1) where (try? BoardDecoders(parsing: Array(text.prefix(count)))) != nil {
            // Only spaces and line ends may be missing.
            #expect(text.dropFirst(count).allSatisfy { $0 <= 0x20 })
        }
        var mutation = Mutation(seed: 7)
        for _ in 0..<2_000 {
            let damaged = mutation.damage(text)
            _ = (try? BoardDecoders(parsing: damaged), ChecksumManifest(parsing: damaged))
        }
    }

    /// SVM-23: no settings document has them.
    @Test(arguments: ["decoders", "board", "devices"]) func noSettingNamesThem(name: String) {
        #expect(throws: SettingsError.self) { try Settings(parsing: Array(#"{"\#(name)":{}}"#.utf8)) }
    }

    @Test func theBoardsFilesAreRight() throws {
        for name in ["qemu-virt", "raspberry-pi-4", "rockpro64"] {
            let board = try BoardDecoders(parsing: ConfigFiles.octets(ConfigFiles.board(name)))
            #expect(!board.compatible.isEmpty, "\(name)")
        }
    }

    @Test func aSealIsWhatSHA256SumWrites() {
        let digest = String(repeating: "0123456789abcdef", count: 4)
        let manifest = ChecksumManifest(parsing: Array("\(digest)  a.json\n\(digest)  b-4.json\n".utf8))
        #expect(manifest?.entries.map(\.name) == ["a.json", "b-4.json"] && manifest?.entries.first?.digest == digest)
        #expect(ChecksumManifest(parsing: [])?.entries == [])
        let many = (0...ChecksumManifest.mostEntries).map { "\(digest)  \($0).json\n" }.joined()
        for wrong in [
            "\(digest)  ../a.json", "\(digest)  .a", "\(digest) *a.json", "\(digest)  ", "\(digest.dropLast())  a.json",
            "\(digest.uppercased())  a.json", "\(digest)  a/b", "\(digest)  A", many,
            "\(digest)  " + String(repeating: "a", count: 65),
        ] { #expect(ChecksumManifest(parsing: Array(wrong.utf8)) == nil, "\(wrong.prefix(90))") }
    }
}
