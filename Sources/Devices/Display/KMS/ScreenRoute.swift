// SPDX-License-Identifier: Apache-2.0

/// One way to a screen: through which plane and controller to which connector, in which mode.
struct ScreenRoute: Hashable, Sendable {
    let plane: UInt32
    let controller: UInt32
    let connector: UInt32
    let timing: KMSTiming
    /// Connectors that the controller drives as well, and is not to.
    var others: [UInt32] = []

    /// Shows `frame`, which has the mode's size.
    func settings(showing frame: UInt32, modeBlob: UInt32) -> [KMSSetting] {
        let (width, height) = (UInt64(timing.mode.size.width), UInt64(timing.mode.size.height))
        return others.map { KMSSetting($0, .controller, 0) } + [
            KMSSetting(connector, .controller, UInt64(controller)),
            KMSSetting(connector, .linkStatus, 0),
            KMSSetting(controller, .mode, UInt64(modeBlob)),
            KMSSetting(controller, .isActive, 1),
            KMSSetting(plane, .controller, UInt64(controller)),
            KMSSetting(plane, .frame, UInt64(frame)),
            KMSSetting(plane, .sourceLeft, 0),
            KMSSetting(plane, .sourceTop, 0),
            KMSSetting(plane, .sourceWidth, width << 16),
            KMSSetting(plane, .sourceHeight, height << 16),
            KMSSetting(plane, .left, 0),
            KMSSetting(plane, .top, 0),
            KMSSetting(plane, .width, width),
            KMSSetting(plane, .height, height),
        ]
    }

    /// Shows nothing.
    var dark: [KMSSetting] {
        [
            KMSSetting(plane, .frame, 0), KMSSetting(plane, .controller, 0), KMSSetting(connector, .controller, 0),
            KMSSetting(controller, .isActive, 0), KMSSetting(controller, .mode, 0),
        ]
    }

    /// Of one object what a later commit can bring back.
    static func restorable(_ values: [KMSProperty: UInt64]) -> [KMSProperty: UInt64] {
        values.filter { ![.linkStatus, .edid, .isNonDesktop, .kind, .inFence, .inFormats].contains($0.key) }
    }
}
