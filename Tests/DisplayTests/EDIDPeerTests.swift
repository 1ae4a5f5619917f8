// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Display

/// What edid-decode, which Debian has, says of the same octets.
struct EDIDPeerTests {
    private static let program = "/usr/bin/edid-decode"

    /// Nil when it is not installed. Runs of spaces are one.
    private static func peer(_ octets: [UInt8]) throws -> [String]? {
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(octets))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test(arguments: ScreenVector.allCases) func agrees(vector: ScreenVector) throws {
        guard let lines = try Self.peer(vector.octets()) else {
            print("SKIP: no edid-decode")
            #expect(ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] != "1", "edid-decode is required")
            return
        }
        let screen = try vector.screen()
        func said(_ beginning: String) -> [String] {
            lines.filter { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
        }
        #expect(said("Manufacturer: ") == [screen.vendor])
        #expect(said("Model: ") == ["\(screen.product)"])
        #expect(said("Serial Number: ") == (screen.serial == 0 ? [] : ["\(screen.serial)"]))
        #expect(said("Display Product Name: ") == ["'\(screen.name ?? "")'"])
        #expect(said("EDID Structure Version & Revision: ") == ["1.\(screen.revision)"])
        let timings = lines.filter { $0.hasPrefix("DTD ") }.map { $0.split(separator: " ") }
        #expect(timings.map { String($0[2]) } == screen.timings.map { "\($0.size)\($0.isInterlaced ? "i" : "")" })
        for (theirs, ours) in zip(timings, screen.timings) {
            #expect(abs((Double(theirs[3]) ?? 0) * 1e6 - Double(ours.refresh.microHertz)) < 2, "\(theirs)")
        }
        let codes = lines.filter { $0.hasPrefix("VIC ") }.map { $0.split(separator: " ")[1].dropLast() }
        #expect(codes.compactMap { UInt8($0) } == (screen.television?.videoCodes ?? []).map(\.code))
        #expect(said("Max channels: ").compactMap { Int($0) } == (screen.television?.sound ?? []).map(\.channels))
        let rates = said("Supported sample rates (kHz): ").map { line in
            line.split(separator: " ").compactMap { Double($0) }.map { Int($0 * 1_000) }.reversed()
        }
        #expect(rates.map(Array.init) == (screen.television?.sound ?? []).map(\.rates))
        let megahertz = (said("Maximum TMDS clock: ") + said("Maximum TMDS Character Rate: "))
            .compactMap { Int($0.split(separator: " ")[0]) }
        #expect(megahertz.max() == screen.television?.mostTMDS)
        #expect(lines.contains("SMPTE ST2084") == (screen.television?.transfers?.contains(.pq) ?? false))
        #expect(lines.contains("Hybrid Log-Gamma") == (screen.television?.transfers?.contains(.hlg) ?? false))
        #expect(lines.contains("BT2020YCC") == (screen.television?.colorimetry.contains(.bt2020YCC) ?? false))
        PeerLog.add("edid-decode", test: #function, checks: 12)
    }
}
