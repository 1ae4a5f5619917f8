// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import System

@Suite struct MemoryAllowanceTests {
    private let directory = NSTemporaryDirectory() + "touchline-allowance-\(UUID().uuidString)"

    private func write(_ text: String, to name: String) throws {
        let path = directory + "/" + name
        try DurableFile.makeDirectory(DurableFile.parent(of: path))
        try DurableFile.write(Array(text.utf8), to: path)
    }

    private var octets: Int? {
        MemoryAllowance.octets(
            ofMachine: directory + "/meminfo", group: directory + "/cgroup", groups: directory + "/groups")
    }

    @Test func theTightestLimitCounts() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody
        try DurableFile.makeDirectory(directory)
        #expect(octets == nil)
        try write("MemTotal:        8000000 kB\n", to: "meminfo")
        #expect(octets == 8_000_000 << 10)
        try write("1:cpu:/elsewhere\n0::/system.slice/touchline.service\n", to: "cgroup")
        try DurableFile.makeDirectory(directory + "/groups")
        try DurableFile.makeDirectory(directory + "/groups/system.slice")
        try write("max\n", to: "groups/system.slice/memory.max")
        #expect(octets == 8_000_000 << 10)
        try write("700000000\n", to: "groups/system.slice/touchline.service/memory.max")
        try write("600000000\n", to: "groups/system.slice/touchline.service/memory.high")
        #expect(octets == 600_000_000)
        try write("500000000\n", to: "groups/system.slice/memory.max")
        #expect(octets == 500_000_000)
        try write("-?\n", to: "groups/system.slice/memory.max")
        #expect(octets == 600_000_000)
        try write("400000000\n", to: "groups/memory.max")
        #expect(octets == 400_000_000)
    }

    @Test func thisProcessMayUseSome() throws { #expect(try #require(MemoryAllowance.octets()) > 1 << 20) }
}
