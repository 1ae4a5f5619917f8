// SPDX-License-Identifier: Apache-2.0

/// What a memory-to-memory video device is asked about itself; `VideoNodeQuestions` asks the kernel. An enumeration ends
/// with nil, if its driver ends it.
protocol V4L2Questions: AnyObject {
    var identity: V4L2Identity { get }

    func format(_ index: Int, of queue: V4L2Queue) -> (format: FourCC, isCompressed: Bool)?
    /// Of a stream, on the coded queue.
    func frameSize(_ index: Int, of format: FourCC) -> V4L2FrameSize?
    /// The first and the last item; nil: it is not there, or no menu.
    func menu(_ control: UInt32) -> (first: Int32, last: Int32)?
    /// Nil: the driver leaves it out.
    func item(_ index: UInt32, of control: UInt32) -> String?
}

struct V4L2Identity: Hashable, Sendable {
    let path: String
    let driver: String
    let card: String
    let bus: String
    let isMultiPlanar: Bool
}

/// As the driver says it.
struct V4L2FrameSize: Hashable, Sendable {
    let smallestWidth: UInt32
    let smallestHeight: UInt32
    let largestWidth: UInt32
    let largestHeight: UInt32
}
