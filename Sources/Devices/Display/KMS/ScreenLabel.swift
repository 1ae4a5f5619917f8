// SPDX-License-Identifier: Apache-2.0

/// A screen in words, made once for each modeset because it is asked for with each picture.
struct ScreenLabel {
    /// The kernel's name of the connector.
    let connector: String
    /// `1920x1080@50`.
    let mode: String
    /// The display's maker and name; nil if its EDID does not say or cannot be read.
    let display: String?
    /// The mode that the settings pin, if the screen shows another.
    var pinPassedOver: String?

    init(_ connector: KMSConnector?, _ mode: KMSMode) {
        self.connector = connector?.name ?? ""
        self.mode = "\(mode.size)@\(mode.refresh)"
        // An EDID that cannot be read names nobody, and is no reason to show nothing.
        let edid = try? connector?.edid.withUnsafeBytes { try EDID($0) }
        display = edid?.label
    }
}
