// SPDX-License-Identifier: Apache-2.0

/// A framebuffer of a card: memory with a size and a pixel format, which planes can show. It is removed with the value;
/// the kernel then switches off a plane that still shows it.
struct Framebuffer: ~Copyable {
    /// The kernel's id; not 0.
    let id: UInt32
    private let device: any KMSDevice

    /// - Parameter id: a framebuffer that nothing else removes.
    init(adopting id: UInt32, of device: any KMSDevice) {
        self.id = id
        self.device = device
    }

    deinit { device.removeFramebuffer(id) }
}
