// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Glibc
import Media
import Scene
import System

/// A GPU's buffer object that a plane can show and OpenGL ES draws into, black at first.
final class GBMFramebuffer: ScanoutBuffer {
    let size: PixelSize
    let target: RenderTarget
    /// The buffer's modifier (`drm_fourcc.h`); nil if the driver chose the layout and does not report it.
    let modifier: UInt64?
    private let owned: Framebuffer
    private let memory: GBMBufferObject

    /// The framebuffer's id.
    var framebuffer: UInt32 { owned.id }

    /// - Parameter modifiers: those that both the plane and the GPU support; empty for a linear layout.
    init(
        _ size: PixelSize, modifiers: [UInt64], of device: GBMDevice, in context: GLESContext
    ) throws(DisplayError) {
        let memory = try GBMBufferObject(size, modifiers: modifiers, of: device)
        let (gbm, object) = (device.calls, memory.handle)
        var layout = SharedPicture(
            width: size.width, height: size.height, fourCC: KMSPlane.xrgb8888, modifier: memory.modifier, planes: [])
        var handles: [UInt32] = []
        var files: [CInt] = []
        defer { for file in files { close(file) } }
        for plane in 0..<max(0, min(4, gbm.gbm_bo_get_plane_count(object))) {
            let file = gbm.gbm_bo_get_fd_for_plane(object, plane)
            guard file >= 0 else { throw .kms("share memory of \(device.card.name)", code: errno) }
            files.append(file)
            handles.append(gbm.gbm_bo_get_handle_for_plane(object, plane).u32)
            layout.planes.append(
                SharedPicture.Plane(
                    descriptor: file, offset: gbm.gbm_bo_get_offset(object, plane),
                    pitch: gbm.gbm_bo_get_stride_for_plane(object, plane)))
        }
        let framebuffer = try device.card.addFramebuffer(layout, handles: handles)
        try context.makeCurrent()
        let target = try RenderTarget(GLESImage(layout, on: context.display), in: context)
        target.clear()
        self.size = size
        self.target = target
        modifier = memory.modifier
        owned = framebuffer
        self.memory = memory
    }
}

/// GBM's memory for one framebuffer, freed when the value is destroyed.
private struct GBMBufferObject: ~Copyable {
    let handle: OpaquePointer
    /// nil if the driver does not report it.
    let modifier: UInt64?
    private let device: GBMDevice
    /// `DRM_FORMAT_MOD_INVALID`, which drivers return that do not report the modifier, such as llvmpipe's.
    private static let unknown: UInt64 = 0x00ff_ffff_ffff_ffff

    init(_ size: PixelSize, modifiers: [UInt64], of device: GBMDevice) throws(DisplayError) {
        let (gbm, format) = (device.calls, KMSPlane.xrgb8888)
        let (width, height) = (UInt32(size.width), UInt32(size.height))
        let usage = touchline_gbm_scanout | touchline_gbm_rendering
        var made: OpaquePointer?
        if !modifiers.isEmpty {
            made = gbm.gbm_bo_create_with_modifiers2(
                device.handle, width, height, format, modifiers, UInt32(modifiers.count), usage)
        }
        let isModified = made != nil
        made = made ?? gbm.gbm_bo_create(device.handle, width, height, format, usage | touchline_gbm_linear)
        guard let made else { throw .kms("make memory of \(size) for \(device.card.name)", code: errno) }
        let modifier = gbm.gbm_bo_get_modifier(made)
        handle = made
        self.modifier = isModified && modifier != Self.unknown ? modifier : nil
        self.device = device
    }

    deinit { device.calls.gbm_bo_destroy(handle) }
}
