// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Markup

extension DeviceDescription {
    /// Nil unless it is a description with a device. What is missing of it is empty; texts are cut.
    init?(_ root: MarkupElement) {
        guard root.name == "root", root.namespace == Self.namespace,
            let device = root.child("device", namespace: Self.namespace)
        else { return nil }
        func text(_ name: String) -> String {
            String((device.child(name, namespace: Self.namespace)?.text ?? "").prefix(256))
        }
        self.init(
            friendlyName: text("friendlyName"), manufacturer: text("manufacturer"), modelName: text("modelName"),
            uniqueDeviceName: text("UDN"))
    }
}

extension CompanionApplication {
    /// Nil unless it is DIAL's document of the application `HbbTV`. A URL that is none counts as missing.
    init?(_ root: MarkupElement) {
        guard root.name == "service", root.namespace == Self.namespace,
            root.child("name", namespace: Self.namespace)?.text == Self.name,
            let data = root.child("additionalData", namespace: Self.namespace)
        else { return nil }
        func text(_ name: String) -> String? { data.child("X_HbbTV_\(name)", namespace: Self.addition)?.text }
        self.init(
            contentInformation: text("InterDevSyncURL").flatMap { WebSocketURL($0) },
            applications: text("App2AppURL").flatMap { WebSocketURL($0) },
            userAgent: text("UserAgent").map { String($0.prefix(512)) })
    }
}
