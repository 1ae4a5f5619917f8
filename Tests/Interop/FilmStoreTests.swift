// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

/// Made once, whoever asks, and kept as long as it is used.
struct FilmStoreTests {
    private func withStore(_ body: (FilmStore, TemporaryDirectory) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let store = try #require(FilmStore(at: directory.file("clips")))
        try await body(store, directory)
        directory.remove()
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func names(_ store: FilmStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.directory).sorted()
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    @Test func isMadeOnceForManyWhoAskAtTheSameTime() async throws {
        try await withStore { store, _ in
            let made = Count()
            let films = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let path = try await store.film("a.ts") { path in
                            let number = made.value.wrappingAdd(1, ordering: .relaxed).newValue
                            try await Task.sleep(for: .milliseconds(50))
                            try Data("film \(number)".utf8).write(to: URL(fileURLWithPath: path))
                        }
                        return try String(contentsOfFile: path, encoding: .utf8)
                    }
                }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(films == Array(repeating: "film 1", count: 8))
            #expect(try names(store) == ["a.ts"])
        }
    }

    /// What a maker that failed leaves is no film; the next one makes it.
    @Test func whatFailedIsMadeAgain() async throws {
        try await withStore { store, _ in
            await #expect(throws: VenueError.self) {
                try await store.film("a.ts") { path in
                    try write("half", to: path)
                    throw VenueError("the encoder ended")
                }
            }
            let path = try await store.film("a.ts") { try write("whole", to: $0) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
            #expect(try names(store) == ["a.ts"])
        }
    }

    @Test func otherArgumentsAreAnotherFilm() {
        let name = FilmStore.name("dense", ["-t", "40"], type: "ts")
        #expect(name.hasPrefix("dense-") && name.hasSuffix(".ts"))
        #expect(name == FilmStore.name("dense", ["-t", "40"], type: "ts"))
        #expect(name != FilmStore.name("dense", ["-t", "41"], type: "ts"))
        #expect(name != FilmStore.name("dense", ["-t40"], type: "ts"))
    }

    /// A film that is used is as new as on its first day; one that is not goes when its time is over.
    @Test func whatIsNotUsedGoes() async throws {
        try await withStore { store, _ in
            let old = Date(timeIntervalSinceNow: -13 * 86_400)
            for name in ["used.ts", "unused.ts"] {
                let path = try await store.film(name) { try write(name, to: $0) }
                try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
            }
            _ = try await store.film("used.ts") { _ in throw VenueError("it is there") }
            let later = Date(timeIntervalSinceNow: 2 * 86_400)
            _ = try #require(FilmStore(at: store.directory, now: later))
            #expect(try names(store) == ["used.ts"])
        }
    }

    /// The films used last stay within the bound.
    @Test func theOldestGoWhenThereAreTooMany() async throws {
        try await withStore { store, _ in
            for hours in 1...4 {
                let path = try await store.film("\(hours).ts") { path in
                    // Without blocks on the disk.
                    try write("", to: path)
                    truncate(path, FilmStore.mostOctets / 2 - 1)
                }
                let used = Date(timeIntervalSinceNow: Double(-hours) * 3_600 - 60)
                try FileManager.default.setAttributes([.modificationDate: used], ofItemAtPath: path)
            }
            _ = try #require(FilmStore(at: store.directory))
            #expect(try names(store) == ["1.ts", "2.ts"])
        }
    }

    @Test func aDirectoryThatCannotBeIsNoStore() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "file")
        #expect(FilmStore(at: file + "/clips") == nil)
    }
}
