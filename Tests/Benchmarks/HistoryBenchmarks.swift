// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Time

private let datagram = [UInt8](repeating: 0x47, count: 1_316)
private let capacity = 32 << 20

/// The peer's memory, with every page there. Only the one thread that measures uses it.
nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer = {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    return memory
}()

/// A datagram into the history and out of it; the peer is the bare copy, through memory of the same size.
let historyBenchmarks: [Benchmark] = {
    let copy = Benchmark.Peer(name: "memcpy") { count in
        datagram.withUnsafeBytes { bytes in
            for number in 0..<count {
                let start = number &* bytes.count % (capacity - bytes.count)
                UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bytes.count]).copyMemory(from: bytes)
            }
        }
        return UInt64(memory[capacity / 2])
    }
    let appending = filledHistory()
    let append = Benchmark(
        name: "history-append", operation: "datagram", octets: datagram.count, peer: copy
    ) { count in
        datagram.withUnsafeBytes { bytes in
            for number in 0..<count {
                appending.append(bytes, arrival: Monotonic(nanoseconds: Int64(number)), flags: [])
            }
        }
        return UInt64(appending.live.position)
    }
    let reading = filledHistory()
    let read = Benchmark(name: "history-read", operation: "datagram", octets: datagram.count, peer: copy) { count in
        withUnsafeTemporaryAllocation(byteCount: reading.largestRecord, alignment: 16) { buffer in
            var cursor = reading.oldest
            var result: UInt64 = 0
            for _ in 0..<count {
                switch reading.read(&cursor, into: buffer) {
                case .record(let record): result &+= UInt64(record.octets)
                case .atLive: cursor = reading.oldest
                case .overrun: fatalError("nobody writes")
                }
            }
            return result
        }
    }
    return [append, read]
}()

/// As full as it gets, so that every append makes the oldest give way.
private func filledHistory() -> HistoryBuffer {
    let history = HistoryBuffer(span: .seconds(3_600), capacity: capacity)
    datagram.withUnsafeBytes { bytes in
        for _ in 0..<capacity / bytes.count {
            history.append(bytes, arrival: Monotonic(nanoseconds: 0), flags: [])
        }
    }
    return history
}
