// SPDX-License-Identifier: Apache-2.0

/// A buffer that grows to the largest size asked for and is reused for smaller ones.
struct GrowingMemory: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { memory.deallocate() }

    /// - Returns: at least `count` octets, aligned to 64, valid until the next call; they keep their contents or are
    ///   zero.
    mutating func room(for count: Int) -> UnsafeMutableRawPointer {
        if let base = memory.baseAddress, memory.count >= count { return base }
        memory.deallocate()
        memory = .allocate(byteCount: max(64, count), alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        guard let base = memory.baseAddress else { preconditionFailure("allocated nothing") }
        return base
    }
}
