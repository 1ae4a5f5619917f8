// SPDX-License-Identifier: Apache-2.0

extension PCM.SampleFormat {
    /// Writes `samples` in this format.
    /// - Parameter target: has room for all of `samples`.
    func convert(_ samples: UnsafeBufferPointer<Float>, into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count >= samples.count * octets)
        guard let base = target.baseAddress else { return }
        switch self {
        case .float:
            let target = base.assumingMemoryBound(to: Float.self)
            for index in samples.indices { target[index] = samples[index] }
        case .signed32:
            let target = base.assumingMemoryBound(to: Int32.self)
            for index in samples.indices { target[index] = Int32(clipping: samples[index]) }
        case .signed16:
            let target = base.assumingMemoryBound(to: Int16.self)
            for index in samples.indices { target[index] = Int16(clipping: samples[index]) }
        }
    }
}
