// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import TestSupport
import Testing
import Time

@testable import Provisioning

@Suite final class MemoryStoreTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-orders-\(UUID())").path
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }
    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func write(_ memory: OrderMemory, to store: MemoryStore<OrderMemory>) throws -> String? {
        var problem: String?
        store.write(memory) { [loop] in
            problem = $0
            loop.stop()
        }
        try loop.run()
        return problem
    }

    @Test func whatIsWrittenIsRead() throws {
        let store = try MemoryStore<OrderMemory>(directory: directory, loop: loop)
        #expect(try store.read() == OrderMemory())
        let memories = [
            OrderMemory(highest: 1 << 53, applied: 7, savedTime: OrderMaker.now), OrderMemory(highest: 3),
            OrderMemory(),
        ]
        for memory in memories {
            #expect(try write(memory, to: store) == nil)
            #expect(try MemoryStore<OrderMemory>(directory: directory, loop: loop).read() == memory)
        }
        #expect(FileManager.default.fileExists(atPath: directory + "/push.json"))
    }

    /// It is never taken for an empty memory.
    @Test func aDamagedFileIsAProblem() throws {
        let store = try MemoryStore<OrderMemory>(directory: directory, loop: loop)
        #expect(try write(OrderMemory(highest: 9), to: store) == nil)
        let good = Array(try Data(contentsOf: URL(filePath: store.path)))
        for count in good.indices.dropLast() {
            try DurableFile.write(Array(good[..<count]), to: store.path)
            #expect(throws: (any Error).self, "\(count) octets") { try store.read() }
        }
        for text in ["[]", "{}", #"{"memory":2,"highest":9,"savedTime":"2026-11-21T12:00:00Z"}"#] {
            try DurableFile.write(Array(text.utf8), to: store.path)
            #expect(throws: (any Error).self, "\(text)") { try store.read() }
        }
        try DurableFile.write([UInt8](repeating: 0x20, count: 70_000), to: store.path)
        #expect(throws: (any Error).self) { try store.read() }
    }

    @Test func aDirectoryThatTakesNoFileIsTold() throws {
        try DurableFile.write([], to: directory)
        let store = try MemoryStore<OrderMemory>(directory: directory, loop: loop)
        let problem = try write(OrderMemory(highest: 1), to: store)
        #expect(problem?.contains(directory) == true)
    }
}
