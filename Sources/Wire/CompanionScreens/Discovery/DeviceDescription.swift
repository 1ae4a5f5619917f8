// SPDX-License-Identifier: Apache-2.0

/// What a device says of itself (UPnP Device Architecture §2.3), as far as it is for people and for recognising it.
public struct DeviceDescription: Hashable, Sendable {
    public static let namespace = "urn:schemas-upnp-org:device-1-0"

    /// As people know the device.
    public var friendlyName: String
    public var manufacturer: String
    public var modelName: String
    /// `uuid:` and a UUID.
    public var uniqueDeviceName: String

    public init(friendlyName: String, manufacturer: String, modelName: String, uniqueDeviceName: String) {
        self.friendlyName = friendlyName
        self.manufacturer = manufacturer
        self.modelName = modelName
        self.uniqueDeviceName = uniqueDeviceName
    }

    /// The XML document.
    public var octets: [UInt8] {
        let fields = [
            ("deviceType", "urn:schemas-upnp-org:device:tvdevice:1"), ("friendlyName", friendlyName),
            ("manufacturer", manufacturer), ("modelName", modelName), ("UDN", uniqueDeviceName),
        ]
        let lines = fields.map { "<\($0)>\(MarkupText.escaped($1))</\($0)>" }.joined()
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <root xmlns="\(Self.namespace)"><specVersion><major>1</major><minor>0</minor></specVersion>\
            <device>\(lines)</device></root>

            """.utf8)
    }
}
