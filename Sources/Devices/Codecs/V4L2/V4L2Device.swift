// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// What a memory-to-memory video device can be asked: `VideoNode` asks the kernel. No call waits but `wait`.
/// - Thread: one, but the memory that it gives may end on any.
protocol V4L2Device: AnyObject {
    /// For messages: its path.
    var name: String { get }

    /// Those that may be asked for now; before a stream is known often more than it can give of it.
    func formats(of queue: V4L2Queue) -> [V4L2FormatChoice]
    func format(of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format
    /// - Returns: what the device made of it.
    func setFormat(_ format: V4L2Format, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format
    /// The part of the coded picture that is to be seen (the compose rectangle); nil: the device does not tell.
    func visibleArea() -> V4L2Rectangle?
    func pixelAspect() -> (width: Int, height: Int)?
    /// `V4L2_CID_MIN_BUFFERS_FOR_CAPTURE`; nil: the device does not tell.
    func minimumPictures() -> Int?

    /// Zero frees them.
    func makeBuffers(_ count: Int, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Buffers
    /// Of the buffer `index`: mapped, and of the picture queue exported.
    func memory(of index: Int, of queue: V4L2Queue) throws(SystemCallError) -> DeviceMemory
    /// - Parameters:
    ///   - octets: of each plane, that it holds; nil: all of it.
    ///   - serial: comes back with the picture that ends in this buffer.
    func enqueue(
        _ index: Int, of queue: V4L2Queue, octets: Int?, serial: UInt64
    ) throws(SystemCallError)
    func dequeue(from queue: V4L2Queue) throws(SystemCallError) -> V4L2Dequeued
    func stream(_ queue: V4L2Queue, isOn: Bool) throws(SystemCallError)
    /// `V4L2_DEC_CMD_STOP`.
    func drain() throws(SystemCallError)
    func takeEvent() throws(SystemCallError) -> V4L2Event?

    /// Returns when one of these is there or `span` is over.
    func wait(forCoded: Bool, forPictures: Bool, atMost span: Nanoseconds)

    /// Streams nothing and has no buffers from now on.
    func shutDown()
}

/// The two queues of a decoder; V4L2 names them from the device's side, OUTPUT and CAPTURE.
enum V4L2Queue: Hashable, Sendable, CaseIterable { case coded, pictures }

struct V4L2FormatChoice: Hashable, Sendable {
    let format: FourCC
    /// Coded buffers may begin and end anywhere in the stream.
    let takesPieces: Bool
}

/// A format as the device has it. Numbers as in videodev2.h; zero is "by default" in the last four.
struct V4L2Format: Hashable, Sendable {
    struct Plane: Hashable, Sendable {
        var stride: Int
        var octets: Int
    }

    var format: FourCC
    var width: Int
    var height: Int
    /// Of its buffers: one for most formats, also where samples lie in several planes.
    var planes: [Plane]
    var colourSpace: UInt32 = 0
    var matrix: UInt32 = 0
    var range: UInt32 = 0
    var transfer: UInt32 = 0
}

struct V4L2Rectangle: Hashable, Sendable {
    var left: Int
    var top: Int
    var width: Int
    var height: Int
}

struct V4L2Buffers: Hashable, Sendable {
    /// Not always what was asked.
    let count: Int
    /// Freed here, they live on until the last who has mapped or exported them is done with them.
    let outliveTheirQueue: Bool
}

struct V4L2Done: Hashable, Sendable {
    let index: Int
    /// Of all planes.
    let octets: Int
    let serial: UInt64
    let isDamaged: Bool
    let isLast: Bool
}

enum V4L2Dequeued: Hashable, Sendable {
    case nothing
    /// Nothing more until it streams anew (EPIPE).
    case ended
    case buffer(V4L2Done)
}

enum V4L2Event: Hashable, Sendable { case sourceChange, endOfStream, other }
