// SPDX-License-Identifier: Apache-2.0

/// A property blob of a card: octets to which a commit refers by id, as for `MODE_ID`. A CRTC that was set to it keeps
/// a copy of what it needs.
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
