// SPDX-License-Identifier: Apache-2.0

/// What can be asked of a V4L2 memory-to-memory device; `VideoNodeQuestions` asks the kernel. An enumeration ends with
/// nil, provided that the driver ends it.
protocol V4L2Questions: AnyObject {
    var identity: V4L2Identity { get }

    func format(_ index: Int, of queue: V4L2Queue) -> (format: FourCC, isCompressed: Bool)?
    /// Picture sizes for a format of the coded queue.
    func frameSize(_ index: Int, of format: FourCC) -> V4L2FrameSize?
    /// First and last item of a menu control; nil if the control does not exist or is no menu.
    func menu(_ control: UInt32) -> (first: Int32, last: Int32)?
    /// nil if the driver omits this item.
    func item(_ index: UInt32, of control: UInt32) -> String?
}

struct V4L2Identity: Hashable, Sendable {
    let path: String
    let driver: String
    let card: String
    let bus: String
    let isMultiPlanar: Bool
}

/// A range of sizes, as the driver reported it.
struct V4L2FrameSize: Hashable, Sendable {
    let smallestWidth: UInt32
    let smallestHeight: UInt32
    let largestWidth: UInt32
    let largestHeight: UInt32
}
