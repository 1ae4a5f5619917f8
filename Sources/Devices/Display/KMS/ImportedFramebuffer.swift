// SPDX-License-Identifier: Apache-2.0

/// What a card knows a picture's buffer by that is another device's (a framebuffer of imported memory). Taken away with
/// the last who holds it.
final class ImportedFramebuffer {
    let framebuffer: UInt32
    private let remove: () -> Void

    init(framebuffer: UInt32, remove: @escaping () -> Void) {
        self.framebuffer = framebuffer
        self.remove = remove
    }

    deinit { remove() }
}
