// SPDX-License-Identifier: Apache-2.0

/// A dumb buffer of a card: memory that the processor writes and the card can show. It is unmapped and destroyed with
/// the value; framebuffers on it keep the memory until they are removed.
struct DumbBuffer: ~Copyable {
    /// The kernel's handle for the memory.
    let handle: UInt32
    /// Octets from one row to the next.
    let pitch: Int
    /// The mapped memory. Reading it is slow on many cards.
    let memory: UnsafeMutableRawBufferPointer
    private let device: any KMSDevice

    /// - Parameter handle: a buffer that nothing else destroys; `memory` is its mapping.
    init(adopting handle: UInt32, pitch: Int, memory: UnsafeMutableRawBufferPointer, of device: any KMSDevice) {
        self.handle = handle
        self.pitch = pitch
        self.memory = memory
        self.device = device
    }

    deinit { device.destroyDumbBuffer(handle, memory) }
}
