// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import Rendering
import Testing

struct ManualPageTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("rootfs-overlay/usr/share/man")

    /// `TOUCHLINE_WRITE_MAN=1` writes them anew.
    @Test(arguments: ManualPage.allCases) func committedPagesAreTheGeneratedOnes(page: ManualPage) throws {
        let file = Self.folder.appendingPathComponent(page.path)
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_MAN"] != nil {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try page.text(of: catalogue).write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == page.text(of: catalogue))
    }

    @Test func everyCommandAndFieldIsThere() {
        let client = ManualPage.touchline.text(of: catalogue)
        for command in catalogue.commands {
            #expect(client.contains(".SS \"\(command.name.replacingOccurrences(of: "-", with: "\\-"))"))
        }
        let settings = ManualPage.configuration.text(of: catalogue)
        for name in ["output.width", "channels[].address", "lineUp.channels[].hidden", "playlists[].items[].file"] {
            #expect(settings.contains("\\fB\(name)\\fR\n"), "\(name)")
        }
        #expect(settings.contains("Pixels of the stage.\nAn integer, 64...4320; default 720.\n"))
        #expect(ManualPage.touchlined.text(of: catalogue).contains("\\fB\\-\\-config PATH\\fR"))
    }

    /// What readers and formatters may not stumble over.
    @Test(arguments: ManualPage.allCases) func isPlainRoff(page: ManualPage) {
        for line in page.text(of: catalogue).split(separator: "\n") {
            #expect(line.utf8.count <= 80 || line.hasPrefix(".SS") || line.hasPrefix("\\fB"), "\(line)")
            #expect(line.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "\(line)")
            #expect(line.last != " ", "\(line)")
        }
    }

    @Test(.enabled(if: Self.isThere("mandoc"), "SKIP: no mandoc: the manual pages are not checked by it"))
    func mandocFindsNothing() throws {
        for page in ManualPage.allCases {
            let (said, status) = try Self.run("mandoc", ["-T", "lint", "-W", "base", try Self.file(of: page)])
            #expect(said == "" && status == 0, "\(page.rawValue): \(said)")
        }
    }

    @Test(.enabled(if: Self.isThere("groff"), "SKIP: no groff: the manual pages are not checked by it"))
    func groffFindsNothing() throws {
        for page in ManualPage.allCases {
            let (said, status) = try Self.run(
                "groff", ["-man", "-Tutf8", "-ww", "-z", "-rLL=78n", try Self.file(of: page)])
            #expect(said == "" && status == 0, "\(page.rawValue): \(said)")
        }
    }

    /// As people read it.
    @Test(.enabled(if: Self.isThere("man"), "SKIP: no man: the manual pages are not shown by it"))
    func manShowsThem() throws {
        for page in ManualPage.allCases {
            let path = try Self.file(of: page)
            let (warnings, status) = try Self.run("sh", ["-c", "man --warnings -l '\(path)' >/dev/null"])
            #expect(warnings == "" && status == 0, "\(page.rawValue): \(warnings)")
            let (text, _) = try Self.run("sh", ["-c", "MANWIDTH=80 man -l '\(path)' | col -b"])
            #expect(text.contains("NAME\n       \(page.rawValue) - "), "\(text.prefix(400))")
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    static func file(of page: ManualPage) throws -> String { folder.appendingPathComponent(page.path).path }

    static func isThere(_ program: String) -> Bool {
        ["/bin/", "/usr/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + program) }
            || ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] == "1"
    }

    /// - Returns: what it wrote, to whichever stream.
    static func run(_ program: String, _ arguments: [String]) throws -> (said: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["LC_ALL=C.UTF-8", program] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }
}
