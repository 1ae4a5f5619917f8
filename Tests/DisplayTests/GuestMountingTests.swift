// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing

@testable import Display

/// A rotated stage, and one away from the edges, as the screen of `vkms` is sent it (G-38).
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestMountingTests {
    private static let size = PixelSize(width: 640, height: 480)

    @Test(arguments: [
        ScreenMounting(rotation: .quarter), ScreenMounting(rotation: .half, overscanPercent: 10),
        ScreenMounting(rotation: .threeQuarters, overscanPercent: 5),
    ]) func theScreenIsSentTheStageAsItHangs(mounting: ScreenMounting) throws {
        let screen = try GuestScreen(Self.size, mounting: mounting)
        let stage = Surface(ofStage: mounting, on: Self.size)
        screen.present(stage.canvas)
        let seen = try screen.capture()
        let wanted = stage.mounted(mounting, on: Self.size)
        #expect(seen.canvas.difference(from: wanted.canvas).largest == 0)
        let counters = screen.driver.status.counters
        #expect(counters.commitsRefused == 0 && counters.flipsLost == 0)
    }
}
