// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import Testing

@testable import Credentials

@Suite final class CredentialStoreTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-access-\(UUID())").path
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }
    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func write(_ credentials: Credentials, to store: CredentialStore) throws -> String? {
        var problem: String?
        store.write(credentials) { [loop] in
            problem = $0
            loop.stop()
        }
        try loop.run()
        return problem
    }

    @Test func whatIsWrittenIsRead() throws {
        let store = try CredentialStore(directory: directory, loop: loop)
        #expect(try store.read() == Credentials())
        var credentials = Credentials()
        _ = try credentials.claim(as: "anna", chance: CredentialsTests.chance(1), at: CredentialsTests.now)
        #expect(try write(credentials, to: store) == nil && !store.isBusy)
        #expect(try CredentialStore(directory: directory, loop: loop).read() == credentials)
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    }

    @Test func whatCannotBeWrittenIsTold() throws {
        try DurableFile.write([], to: directory)
        let store = try CredentialStore(directory: directory, loop: loop)
        #expect(try write(Credentials(), to: store)?.contains(directory) == true)
        #expect(throws: (any Error).self) { try store.read() }
    }
}
