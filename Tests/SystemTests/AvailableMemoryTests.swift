// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import System

@Suite struct AvailableMemoryTests {
    @Test func itIsReadFromTheKernelsTable() {
        let text = "MemTotal:        8000000 kB\nMemFree:          100000 kB\nMemAvailable:    3145728 kB\n"
        #expect(AvailableMemory.octets("MemAvailable", in: text) == 3_145_728 << 10)
        #expect(AvailableMemory.octets().map { $0 > 1 << 20 } ?? true)
    }

    @Test(arguments: [
        "", "MemAvailable:", "MemAvailable: kB", "MemAvailable: x kB", "MemAvailable: 5 MB",
        "MemAvailable: 9223372036854775807 kB", "MemAvailable 5 kB",
    ]) func anythingElseIsUnknown(text: String) {
        #expect(AvailableMemory.octets("MemAvailable", in: text) == nil)
    }
}
