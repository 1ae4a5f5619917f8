// SPDX-License-Identifier: Apache-2.0
@testable import Codecs

/// A driver that answers what it is told to, counts what it is asked, and need not come to an end.
final class FakeQuestions: V4L2Questions {
    var identity = V4L2Identity(
        path: "/dev/video7", driver: "fake-vpu", card: "Fake", bus: "platform:fake", isMultiPlanar: true)
    var coded: (Int) -> (FourCC, Bool)? = { _ in nil }
    var pictures: (Int) -> (FourCC, Bool)? = { _ in nil }
    var sizes: (Int, FourCC) -> V4L2FrameSize? = { _, _ in nil }
    var menus: [UInt32: (Int32, Int32)] = [:]
    var items: (UInt32, UInt32) -> String? = { _, _ in nil }
    private(set) var asked = 0

    func format(_ index: Int, of queue: V4L2Queue) -> (format: FourCC, isCompressed: Bool)? {
        asked += 1
        return queue == .coded ? coded(index) : pictures(index)
    }

    func frameSize(_ index: Int, of format: FourCC) -> V4L2FrameSize? {
        asked += 1
        return sizes(index, format)
    }

    func menu(_ control: UInt32) -> (first: Int32, last: Int32)? {
        asked += 1
        return menus[control]
    }

    func item(_ index: UInt32, of control: UInt32) -> String? {
        asked += 1
        return items(index, control)
    }

    /// Takes these, and gives NV12.
    static func decoder(_ formats: FourCC...) -> FakeQuestions {
        let device = FakeQuestions()
        device.coded = { formats.indices.contains($0) ? (formats[$0], true) : nil }
        device.pictures = { $0 == 0 ? (.nv12, false) : nil }
        return device
    }
}

extension V4L2FrameSize {
    init(_ smallestWidth: UInt32, _ smallestHeight: UInt32, to largestWidth: UInt32, _ largestHeight: UInt32) {
        self.init(
            smallestWidth: smallestWidth, smallestHeight: smallestHeight, largestWidth: largestWidth,
            largestHeight: largestHeight)
    }
}
