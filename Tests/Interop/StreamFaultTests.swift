// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Interop {
    /// The faults are those that they are meant to be, as ffmpeg reads them.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct StreamFaultTests {
        private func withFile(_ body: (TransportStreamFile, TestVenue) async throws -> Void) async throws {
            try await TestVenue.open { venue in
                try await body(try TransportStreamFile(try await CountedVideo.make(seconds: 5, in: venue)), venue)
            }
        }

        private func probe(_ file: TransportStreamFile, in venue: TestVenue) async throws -> String {
            let path = venue.directory.file("fault.ts")
            try Data(file.bytes).write(to: URL(fileURLWithPath: path))
            return try await venue.succeed([
                "ffprobe", "-v", "error", "-count_packets", "-show_entries",
                "stream=id,codec_name,width,nb_read_packets",
                "-of", "csv=p=0", path,
            ]).outputText
        }

        @Test func everyFaultLeavesPackets() async throws {
            try await withFile { file, _ in
                for fault in StreamFault.allCases {
                    let made = file.with(fault, seed: 1)
                    #expect(made.bytes.count == file.bytes.count && made.bytes != file.bytes, "\(fault)")
                    let isWhole = stride(from: 0, to: made.bytes.count, by: 188).allSatisfy { made.bytes[$0] == 0x47 }
                    #expect(isWhole, "\(fault)")
                }
            }
        }

        @Test func swappedPIDs() async throws {
            try await withFile { file, venue in
                let whole = try await probe(file, in: venue)
                let swapped = try await probe(file.with(.swappedPIDs, seed: 1), in: venue)
                #expect(whole.contains("h264") && whole.contains("0x100,125"), "\(whole)")
                #expect(swapped.contains("h264,640,0x101,125"), "\(swapped)")
            }
        }

        @Test func mapWithoutSound() async throws {
            try await withFile { file, venue in
                let text = try await probe(file.with(.flappingMap, seed: 1), in: venue)
                #expect(text.contains("h264") && text.contains("aac"), "\(text)")
            }
        }

        @Test func sequenceThatLies() async throws {
            try await withFile { file, venue in
                let small = try await probe(file.with(.lyingSequence, seed: 1), in: venue)
                #expect(small.contains("h264,320"), "\(small)")
                let large = try await probe(file.with(.eightThousandLines, seed: 1), in: venue)
                #expect(large.contains("h264,8192"), "\(large)")
            }
        }

        @Test func decodingAfterPresenting() async throws {
            try await withFile { file, venue in
                let path = venue.directory.file("late.ts")
                try Data(file.with(.decodingAfterPresenting, seed: 1).bytes).write(to: URL(fileURLWithPath: path))
                let lines = try await venue.succeed([
                    "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,dts", "-of",
                    "csv=p=0", path,
                ]).outputText.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
                #expect(lines.count { $0.count >= 2 && $0[1] == $0[0] + 9_000 } > 60, "\(lines.prefix(5))")
            }
        }
    }
}
