// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Testing
import Time

@testable import CommandLineClient
@testable import ControlClient

/// The console while the service is dead (G-12).
@Suite final class OfflineLoginTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-offline-\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func write(_ octets: [UInt8]) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(octets).write(to: URL(filePath: directory + "/access.json"))
    }

    @Test func whoHasATokenIsKnown() throws {
        let login = OfflineLogin(isConsole: true)
        #expect(login.logIn(nil, in: directory) == .notNeeded(notice: []))
        var credentials = Credentials()
        let chance = [UInt8](repeating: 7, count: 32)
        let time = WallTime(nanoseconds: 1_790_000_000_000_000_000)
        let text = try credentials.create("tech", as: .operator, chance: chance, at: time)
        try write(credentials.octets)
        #expect(login.logIn(nil, in: directory) == .needed(why: nil))
        #expect(
            login.logIn(text, in: directory) == .accepted(name: "tech", role: "operator", idle: .seconds(300)))
        let wrong = login.logIn(text + "x", in: directory)
        #expect(wrong == .needed(why: "the token is none of this box; expected one that token-create made"))
        for _ in 0..<19 { _ = login.logIn("tl-guess", in: directory) }
        guard case .needed(let why?) = login.logIn(text, in: directory) else {
            Issue.record("a guesser goes on")
            return
        }
        #expect(why.hasPrefix("too many wrong tokens"))
        // Somebody whom the machine knows already.
        #expect(OfflineLogin(isConsole: false).logIn(nil, in: directory) == .notNeeded(notice: []))
    }

    /// A file that cannot be understood lets nobody in.
    @Test func aDamagedFileLetsNobodyIn() throws {
        try write(Array("{\"access\":1".utf8))
        let login = OfflineLogin(isConsole: true)
        for token in [nil, "x"] {
            guard case .needed(let why?) = login.logIn(token, in: directory) else {
                Issue.record("somebody is let in")
                continue
            }
            #expect(why.hasPrefix("the service does not answer, and its tokens cannot be read: "))
        }
    }
}
