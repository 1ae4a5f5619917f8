// SPDX-License-Identifier: Apache-2.0
import Glibc

extension ScreenDriver {
    func commit(_ settings: [KMSSetting], _ options: KMSCommit, on device: any KMSDevice) throws(DisplayError) {
        do throws(DisplayError) {
            try device.commit(settings, options, token: token)
        } catch {
            // Who was the card's master before us, or in between, may have left.
            guard case .kms(_, EACCES) = error, device.becomeMaster() else { throw error }
            try device.commit(settings, options, token: token)
        }
    }

    /// Leaves what was driven before dark where it is another way.
    func settings(_ pipeline: DisplayPipeline, framebuffer: UInt32, blob: UInt32) -> [KMSSetting] {
        let new = pipeline.settings(showing: framebuffer, modeBlob: blob)
        guard let driven else { return new }
        let objects = Set(new.map(\.object))
        var leaving = (driven.dark + video.leaving(besides: [driven.plane])).filter { !objects.contains($0.object) }
        // A connector that goes dark needs no telling twice.
        leaving.removeAll { pipeline.others.contains($0.object) }
        return leaving + new
    }

    /// As it was before; what cannot be is left dark.
    func restore(on device: any KMSDevice, _ options: KMSCommit) {
        do throws(DisplayError) {
            try found.restore(on: device) { settings throws(DisplayError) -> Void in
                try self.commit(settings, options.union(.allowModeset), on: device)
            }
        } catch {
            release()  // what was shown is gone itself
        }
    }
}
