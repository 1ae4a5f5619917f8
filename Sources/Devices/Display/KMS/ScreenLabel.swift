// SPDX-License-Identifier: Apache-2.0

/// A description of a screen, made once per modeset because it is needed with each picture.
struct ScreenLabel {
    /// The kernel's name of the connector.
    let connector: String
    /// Size and rate, such as `1920x1080@50`.
    let mode: String
    /// The display's maker and name; nil if its EDID does not state them or cannot be parsed.
    let display: String?
    /// The mode pinned by the settings if the screen shows another; otherwise nil.
    var pinPassedOver: String?

    init(_ connector: KMSConnector?, _ mode: KMSMode) {
        self.connector = connector?.name ?? ""
        self.mode = "\(mode.size)@\(mode.refresh)"
        // An EDID that cannot be parsed gives no name, but the screen is shown all the same.
        let edid = try? connector?.edid.withUnsafeBytes { try EDID($0) }
        display = edid?.label
    }
}
