// SPDX-License-Identifier: Apache-2.0

/// A property blob of a card: octets that a commit refers to by id, as `MODE_ID` does. A CRTC that was set to it keeps
/// what it needs of it.
struct PropertyBlob: ~Copyable {
    let id: UInt32
    private let device: any KMSDevice

    init(_ octets: [UInt8], on device: any KMSDevice) throws(DisplayError) {
        let made = try device.makeBlob(octets)
        id = made
        self.device = device
    }

    deinit { device.destroyBlob(id) }
}
