// SPDX-License-Identifier: Apache-2.0
import Scene
import Testing

@testable import Display

/// Which planes show a video under the canvas, of cards as they are.
struct PlaneStackTests {
    private static let (rgb, plain) = ([KMSPlane.xrgb8888, KMSPlane.argb8888], [KMSPlane.xrgb8888])
    private static let yuv = [DRMFormat.nv12, DRMFormat.yu12]

    private static func plane(
        _ id: UInt32, _ kind: KMSPlane.Kind, _ formats: [UInt32], on crtcs: [UInt32] = [40],
        order: (UInt64, ClosedRange<UInt64>)? = nil
    ) -> KMSPlane {
        KMSPlane(
            id: id, kind: kind, formats: formats, crtcs: crtcs,
            zpos: order.map { .init(value: $0.0, range: $0.1) })
    }

    /// "video/canvas", and what is set to have them so.
    private static func stacks(
        _ planes: [KMSPlane], primary: UInt32, on crtc: UInt32 = 40, _ format: UInt32 = DRMFormat.nv12
    ) -> [String] {
        PlaneStack.all(of: planes, on: crtc, primary: primary, format: format).map { stack in
            "\(stack.video.id)/\(stack.canvas.id)"
                + stack.zpositions.map { " \($0.object)=\($0.value)" }.joined()
        }
    }

    /// Linux 7.2: one primary plane, eight overlays and a cursor, all of the same formats; none says its order.
    @Test func vkms() {
        let planes =
            [Self.plane(31, .primary, Self.rgb + Self.yuv)]
            + (0..<8).map { Self.plane(33 + 2 * $0, .overlay, Self.rgb + Self.yuv) }
            + [Self.plane(49, .cursor, Self.rgb)]
        #expect(Self.stacks(planes, primary: 31) == ["31/33", "31/35", "33/35", "33/37"])
        // Linux 6.12 has RGB alone.
        let older = planes.map { Self.plane($0.id, $0.kind, Self.rgb) }
        #expect(Self.stacks(older, primary: 31) == [])
    }

    @Test func virtioGPU() {
        let planes = [Self.plane(33, .primary, Self.plain), Self.plane(35, .cursor, Self.rgb)]
        #expect(Self.stacks(planes, primary: 33) == [])
    }

    /// A Raspberry Pi: every plane takes everything, and its order can be set, with the primary plane's at the bottom.
    @Test func vc4() {
        let all = Self.rgb + Self.yuv
        let planes =
            [Self.plane(60, .primary, all, order: (0, 0...0))]
            + (0..<3).map { Self.plane(70 + 10 * $0, .overlay, all, order: (UInt64($0) + 1, 1...127)) }
        #expect(
            Self.stacks(planes, primary: 60) == [
                "60/70 70=1", "60/80 80=1", "70/80 70=1 80=2", "70/90 70=1 90=2",
            ])
    }

    /// Rockchip's VOP2: a cluster that is the primary plane and takes no NV12, an overlay for videos of either screen.
    @Test func rockchip() {
        let planes = [
            Self.plane(57, .primary, Self.rgb, order: (0, 0...5)),
            Self.plane(73, .primary, Self.rgb, on: [41], order: (1, 0...5)),
            Self.plane(89, .overlay, Self.rgb + [DRMFormat.nv12], on: [40, 41], order: (2, 0...5)),
        ]
        // Its own primary plane over the video.
        #expect(Self.stacks(planes, primary: 57) == ["89/57 89=0 57=1"])
        #expect(Self.stacks(planes, primary: 73, on: 41) == ["89/73 89=0 73=1"])
        #expect(Self.stacks(planes, primary: 57, DRMFormat.yu12) == [])
        #expect(Self.stacks(planes, primary: 99) == [])
    }

    @Test func ordersThatCannotBe() {
        let (above, below) = ((UInt64(2), UInt64(2)...2), (UInt64(1), UInt64(1)...1))
        func planes(video: (UInt64, ClosedRange<UInt64>)?, canvas: (UInt64, ClosedRange<UInt64>)?) -> [KMSPlane] {
            [
                Self.plane(1, .primary, Self.plain, order: (0, 0...0)),
                Self.plane(2, .overlay, Self.yuv, order: video), Self.plane(3, .overlay, Self.rgb, order: canvas),
            ]
        }
        #expect(Self.stacks(planes(video: below, canvas: above), primary: 1) == ["2/3"])
        #expect(Self.stacks(planes(video: above, canvas: below), primary: 1) == [])
        #expect(Self.stacks(planes(video: above, canvas: above), primary: 1) == [])
        #expect(Self.stacks(planes(video: above, canvas: (0, 0...9)), primary: 1) == ["2/3 3=3"])
        #expect(Self.stacks(planes(video: (.max, .max ... .max), canvas: (0, 0 ... .max)), primary: 1) == [])
        // One does not say: as the kernel lists them.
        #expect(Self.stacks(planes(video: nil, canvas: below), primary: 1) == ["2/3"])
    }

    @Test func whatBlends() {
        var plane = Self.plane(1, .overlay, Self.rgb)
        #expect(plane.blendsPremultiplied)
        plane.choices[.blendMode] = ["None": 0, "Coverage": 2]
        #expect(!plane.blendsPremultiplied)
        #expect(!Self.plane(1, .overlay, Self.plain).blendsPremultiplied)
    }

    /// A plane that cannot be told shows BT.601 in limited range, and nothing else.
    @Test func colours() {
        let (old, hd) = (
            PlaneColour(matrix: .bt601, isFullRange: false), PlaneColour(matrix: .bt709, isFullRange: true)
        )
        var plane = Self.plane(1, .overlay, Self.yuv)
        #expect(plane.settings(of: old) == [] && plane.settings(of: hd) == nil)
        plane.choices = FakeCard.colours
        #expect(plane.settings(of: old) == [KMSSetting(1, .encoding, 0), KMSSetting(1, .range, 0)])
        #expect(plane.settings(of: hd) == [KMSSetting(1, .encoding, 1), KMSSetting(1, .range, 1)])
        #expect(plane.settings(of: PlaneColour(matrix: .bt2020, isFullRange: false)) == nil)
        plane.choices[.range] = nil
        #expect(plane.settings(of: hd) == nil)
    }
}
