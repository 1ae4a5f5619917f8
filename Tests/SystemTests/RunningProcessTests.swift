// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import Time

@testable import System

@Suite struct RunningProcessTests {
    private static let line =
        "1234 (a (b) c) S 1 1234 1234 0 -1 4194560 2119 0 0 0 151 49 0 0 20 0 9 0 1000 500000 2500 18446744073709551615 1\n"

    @Test func aLineIsRead() throws {
        let process = try #require(RunningProcess(stat: Self.line, ticks: 100, page: 4_096))
        #expect(process.number == 1_234 && process.name == "a (b) c" && process.state == "S")
        #expect(process.processorTime == .seconds(2) && process.residentOctets == 10_240_000)
    }

    /// Whatever else the file has, it is no process, or one with numbers that can be.
    @Test func anythingElseIsNone() {
        for count in 0..<80 {
            #expect(RunningProcess(stat: String(Self.line.prefix(count)), ticks: 100, page: 4_096) == nil)
        }
        var random = SplitMix64(seed: 9)
        for _ in 0..<20_000 {
            var octets = Array(Self.line.utf8)
            for _ in 0...Int.random(in: 0...4, using: &random) {
                octets[Int.random(in: 0..<octets.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: octets, as: UTF8.self)
            guard let process = RunningProcess(stat: text, ticks: 100, page: 4_096) else { continue }
            #expect(process.number > 0 && process.residentOctets >= 0 && process.processorTime >= .zero)
        }
    }

    /// An emulator of user space, as qemu-aarch64, imitates the file and says nothing of memory.
    @Test func thisProcessIsAmongThem() throws {
        let own = try #require(try RunningProcess.all().first { $0.number == getpid() })
        #expect(own.residentOctets > 1 << 20 || Effort.isEmulated)
    }
}
