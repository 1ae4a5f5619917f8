// SPDX-License-Identifier: Apache-2.0
import Scene

/// The pipeline that drives one screen: a primary plane feeds a CRTC, which feeds a connector in one mode.
struct DisplayPipeline: Hashable, Sendable {
    let plane: UInt32
    let crtc: UInt32
    let connector: UInt32
    let timing: KMSTiming
    /// Other connectors that the CRTC drives and that a modeset takes from it.
    var others: [UInt32] = []

    /// The settings of a modeset that shows a framebuffer of the mode's size.
    func settings(showing framebuffer: UInt32, modeBlob: UInt32) -> [KMSSetting] {
        others.map { KMSSetting($0, .crtc, 0) } + [
            KMSSetting(connector, .crtc, UInt64(crtc)),
            KMSSetting(connector, .linkStatus, 0),
            KMSSetting(crtc, .mode, UInt64(modeBlob)),
            KMSSetting(crtc, .isActive, 1),
        ] + settings(of: plane, showing: framebuffer)
    }

    /// The settings for a plane to show a framebuffer of the mode's size.
    func settings(of plane: UInt32, showing framebuffer: UInt32) -> [KMSSetting] {
        let whole = PixelRectangle(x: 0, y: 0, size: timing.mode.size)
        return settings(of: plane, showing: whole, of: framebuffer, at: whole)
    }

    /// The settings for a plane to show a part of a framebuffer.
    /// - Parameter place: area on the CRTC; it may reach beyond the mode's edges.
    func settings(
        of plane: UInt32, showing part: PixelRectangle, of framebuffer: UInt32, at place: PixelRectangle
    ) -> [KMSSetting] {
        func number(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value)) }
        return [
            KMSSetting(plane, .crtc, UInt64(crtc)),
            KMSSetting(plane, .framebuffer, UInt64(framebuffer)),
            KMSSetting(plane, .sourceX, number(part.x) << 16),
            KMSSetting(plane, .sourceY, number(part.y) << 16),
            KMSSetting(plane, .sourceWidth, number(part.size.width) << 16),
            KMSSetting(plane, .sourceHeight, number(part.size.height) << 16),
            KMSSetting(plane, .crtcX, number(place.x)),
            KMSSetting(plane, .crtcY, number(place.y)),
            KMSSetting(plane, .crtcWidth, number(place.size.width)),
            KMSSetting(plane, .crtcHeight, number(place.size.height)),
        ]
    }

    /// The settings that switch the pipeline off.
    var disabling: [KMSSetting] {
        [
            KMSSetting(plane, .framebuffer, 0), KMSSetting(plane, .crtc, 0), KMSSetting(connector, .crtc, 0),
            KMSSetting(crtc, .isActive, 0), KMSSetting(crtc, .mode, 0),
        ]
    }
}
