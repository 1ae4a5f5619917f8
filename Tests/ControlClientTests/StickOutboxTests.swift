// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Venue

@testable import ControlClient

@Suite final class StickOutboxTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-stick-\(UUID())").path
    private let files = FileManager.default

    init() throws {
        for name in ["out", "results"] {
            try files.createDirectory(atPath: "\(directory)/\(name)", withIntermediateDirectories: true)
        }
    }

    deinit { try? files.removeItem(atPath: directory) }

    /// What the unit does, once the file is there.
    private func answer(_ result: String?) {
        let (files, directory) = (files, directory)
        Thread.detachNewThread {
            while !files.fileExists(atPath: directory + "/out/a.tli") { usleep(10_000) }
            if let result { _ = files.createFile(atPath: directory + "/results/a.tli", contents: Data(result.utf8)) }
            try? files.removeItem(atPath: directory + "/out/a.tli")
        }
    }

    private func send(patience: Int64 = 20) throws -> String {
        try StickOutbox(directory: directory, patience: .seconds(patience)).send([1, 2, 3], named: "a.tli")
    }

    private func refusal(patience: Int64 = 20) -> String {
        do {
            return "sent: \(try send(patience: patience))"
        } catch {
            return (error as? Status)?.errorString ?? "\(error)"
        }
    }

    @Test func whoWaitsIsToldWhatCameOfIt() throws {
        answer("ok a.tli is on sda1, 3 octets\n")
        #expect(try send() == "a.tli is on sda1, 3 octets")
    }

    @Test(arguments: [("failed there is no USB stick\n", "there is no USB stick"), ("", "nothing is told of it")])
    func whatFails(result: String, expected: String) {
        answer(result)
        #expect(refusal() == expected)
    }

    @Test func nobodyAnswers() throws {
        #expect(refusal(patience: 0).hasPrefix("nothing came of a.tli in 0 s"))
        #expect(try files.contentsOfDirectory(atPath: directory + "/out").isEmpty)
    }

    @Test func noBoxOfTheImage() throws {
        try files.removeItem(atPath: directory + "/out")
        #expect(refusal().contains("only a box of the image"))
    }
}
