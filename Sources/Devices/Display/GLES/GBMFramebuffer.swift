// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Glibc
import Media
import Scene
import System

/// A GPU's memory that a plane can show: black at first. Given back with the last who holds it.
final class GBMFramebuffer: ScanoutBuffer {
    let size: PixelSize
    let framebuffer: UInt32
    let target: RenderTarget
    /// How its pixels lie, as `drm_fourcc.h` numbers it; nil: as the driver wants.
    let modifier: UInt64?
    /// Of a driver that does not say, llvmpipe's among them.
    private static let unknown: UInt64 = 0x00ff_ffff_ffff_ffff
    private let device: GBMDevice
    private let memory: OpaquePointer

    /// - Parameter modifiers: which the plane and the GPU both take; empty: row by row.
    init(
        _ size: PixelSize, modifiers: [UInt64], of device: GBMDevice, in context: GLESContext
    ) throws(DisplayError) {
        let (gbm, format) = (device.calls, KMSPlane.xrgb8888)
        let (width, height) = (UInt32(size.width), UInt32(size.height))
        let usage = touchline_gbm_scanout | touchline_gbm_rendering
        var made: OpaquePointer?
        var isModified = false
        if !modifiers.isEmpty {
            made = gbm.gbm_bo_create_with_modifiers2(
                device.handle, width, height, format, modifiers, UInt32(modifiers.count), usage)
            isModified = made != nil
        }
        made = made ?? gbm.gbm_bo_create(device.handle, width, height, format, usage | touchline_gbm_linear)
        guard let memory = made else { throw .kms("make memory of \(size) for \(device.card.name)", code: errno) }
        var framebuffer: UInt32 = 0
        do throws(DisplayError) {
            let told = gbm.gbm_bo_get_modifier(memory)
            let modifier = isModified && told != Self.unknown ? told : nil
            var layout = SharedPicture(
                width: size.width, height: size.height, fourCC: format, modifier: modifier, planes: [])
            var handles: [UInt32] = []
            var files: [CInt] = []
            defer { for file in files { close(file) } }
            for plane in 0..<max(0, min(4, gbm.gbm_bo_get_plane_count(memory))) {
                let file = gbm.gbm_bo_get_fd_for_plane(memory, plane)
                guard file >= 0 else { throw .kms("share memory of \(device.card.name)", code: errno) }
                files.append(file)
                handles.append(gbm.gbm_bo_get_handle_for_plane(memory, plane).u32)
                layout.planes.append(
                    SharedPicture.Plane(
                        descriptor: file, offset: gbm.gbm_bo_get_offset(memory, plane),
                        pitch: gbm.gbm_bo_get_stride_for_plane(memory, plane)))
            }
            framebuffer = try device.card.addFramebuffer(layout, handles: handles)
            try context.makeCurrent()
            target = try RenderTarget(GLESImage(layout, on: context.display), in: context)
            self.modifier = modifier
        } catch {
            if framebuffer != 0 { device.card.removeFramebuffer(framebuffer) }
            gbm.gbm_bo_destroy(memory)
            throw error
        }
        self.size = size
        self.framebuffer = framebuffer
        self.device = device
        self.memory = memory
        target.clear()
    }

    deinit {
        device.card.removeFramebuffer(framebuffer)
        device.calls.gbm_bo_destroy(memory)
    }
}
