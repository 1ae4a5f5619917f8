// SPDX-License-Identifier: Apache-2.0
import Scene

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
        others.map { KMSSetting($0, .controller, 0) } + [
            KMSSetting(connector, .controller, UInt64(controller)),
            KMSSetting(connector, .linkStatus, 0),
            KMSSetting(controller, .mode, UInt64(modeBlob)),
            KMSSetting(controller, .isActive, 1),
        ] + settings(of: plane, showing: frame)
    }

    /// Shows `frame`, which has the mode's size, by this plane.
    func settings(of plane: UInt32, showing frame: UInt32) -> [KMSSetting] {
        let whole = PixelRectangle(x: 0, y: 0, size: timing.mode.size)
        return settings(of: plane, showing: whole, of: frame, at: whole)
    }

    /// Shows a part of `frame` by this plane; `place` may reach beyond the mode's edges.
    func settings(
        of plane: UInt32, showing part: PixelRectangle, of frame: UInt32, at place: PixelRectangle
    ) -> [KMSSetting] {
        func number(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value)) }
        return [
            KMSSetting(plane, .controller, UInt64(controller)),
            KMSSetting(plane, .frame, UInt64(frame)),
            KMSSetting(plane, .sourceLeft, number(part.x) << 16),
            KMSSetting(plane, .sourceTop, number(part.y) << 16),
            KMSSetting(plane, .sourceWidth, number(part.size.width) << 16),
            KMSSetting(plane, .sourceHeight, number(part.size.height) << 16),
            KMSSetting(plane, .left, number(place.x)),
            KMSSetting(plane, .top, number(place.y)),
            KMSSetting(plane, .width, number(place.size.width)),
            KMSSetting(plane, .height, number(place.size.height)),
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
        values.filter { ![.linkStatus, .edid, .isNonDesktop, .kind, .inFence, .inFormats, .order].contains($0.key) }
    }
}
