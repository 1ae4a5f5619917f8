// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// The operations of a V4L2 memory-to-memory device; `VideoNode` implements them by the kernel. Only `wait` waits.
/// - Thread: one; the memory that it returns may be released on any.
protocol V4L2Device: AnyObject {
    /// Path of the device, for messages.
    var name: String { get }

    /// Formats that may be set now. Before a stream is known, drivers often list more than they can provide for it.
    func formats(of queue: V4L2Queue) -> [V4L2FormatChoice]
    func format(of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format
    /// - Returns: the format that the device actually set.
    func setFormat(_ format: V4L2Format, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format
    /// The part of the coded picture to be shown (the compose rectangle); nil if the device does not report it.
    func visibleArea() -> V4L2Rectangle?
    func pixelAspect() -> (width: Int, height: Int)?
    /// `V4L2_CID_MIN_BUFFERS_FOR_CAPTURE`; nil if the device does not report it.
    func minimumPictures() -> Int?

    /// Allocates buffers; a count of 0 frees them.
    func makeBuffers(_ count: Int, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Buffers
    /// Memory of the buffer `index`: mapped, and exported if it is of the picture queue.
    func memory(of index: Int, of queue: V4L2Queue) throws(SystemCallError) -> DeviceMemory
    /// - Parameters:
    ///   - octets: number of octets used in each plane; nil if all.
    ///   - serial: comes back with the picture that ends in this buffer.
    func enqueue(
        _ index: Int, of queue: V4L2Queue, octets: Int?, serial: UInt64
    ) throws(SystemCallError)
    func dequeue(from queue: V4L2Queue) throws(SystemCallError) -> V4L2Dequeued
    func stream(_ queue: V4L2Queue, isOn: Bool) throws(SystemCallError)
    /// Sends `V4L2_DEC_CMD_STOP`.
    func drain() throws(SystemCallError)
    func takeEvent() throws(SystemCallError) -> V4L2Event?

    /// Waits until a buffer can be dequeued from one of the chosen queues, or an event is pending, or `span` has passed.
    /// - Parameters:
    ///   - forCoded: wait for the queue of coded buffers.
    ///   - forPictures: wait for the queue of pictures.
    func wait(forCoded: Bool, forPictures: Bool, atMost span: Nanoseconds)

    /// Stops both queues and frees their buffers.
    func shutDown()
}

/// The two queues of a decoder. V4L2 names them from the device's side: `coded` is OUTPUT, `pictures` is CAPTURE.
enum V4L2Queue: Hashable, Sendable, CaseIterable { case coded, pictures }

struct V4L2FormatChoice: Hashable, Sendable {
    let format: FourCC
    /// Coded buffers may begin and end anywhere in the stream.
    let takesPieces: Bool
}

/// A format as the device reports it, with numbers as in videodev2.h. Zero means "default" in the last four fields.
struct V4L2Format: Hashable, Sendable {
    struct Plane: Hashable, Sendable {
        var stride: Int
        var octets: Int
    }

    var format: FourCC
    var width: Int
    var height: Int
    /// Memory planes of its buffers: one for most formats, even if the samples lie in several planes.
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
    /// May differ from the number that was asked for.
    let count: Int
    /// Freed buffers live on until the last user has unmapped and closed them.
    let outliveTheirQueue: Bool
}

struct V4L2Done: Hashable, Sendable {
    let index: Int
    /// Of all planes together.
    let octets: Int
    let serial: UInt64
    let isDamaged: Bool
    let isLast: Bool
}

enum V4L2Dequeued: Hashable, Sendable {
    case nothing
    /// No more buffers until the queue is restarted (EPIPE).
    case ended
    case buffer(V4L2Done)
}

enum V4L2Event: Hashable, Sendable { case sourceChange, endOfStream, other }
