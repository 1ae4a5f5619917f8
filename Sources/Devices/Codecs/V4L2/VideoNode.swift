// SPDX-License-Identifier: Apache-2.0
internal import CV4L2Shims
import Glibc
import System
import Time

/// An open V4L2 memory-to-memory device with the single-planar or the multi-planar API. It is closed when its last
/// reference is released.
final class VideoNode: V4L2Device {
    let name: String
    private let file: FileDescriptor
    /// Whether it uses the multi-planar API.
    let isMulti: Bool
    /// Number of memory planes of a buffer, by the last format.
    private var areas: [V4L2Queue: Int] = [:]
    /// The only pixel format that the device is to show in tests; nil shows all.
    var onlyPictures: FourCC?

    private var descriptor: CInt { file.rawValue }
    private var multi: CInt { isMulti ? 1 : 0 }

    private static let singlePlanar: UInt32 = 0x8000
    /// Limit on the formats that are read from a driver.
    private static let mostFormats = 256

    /// - Parameter path: such as `/dev/video0`.
    /// - Throws: also if the node is not a memory-to-memory device.
    init(opening path: String) throws(SystemCallError) {
        let opened = FileDescriptor(adopting: try syscall("open \(path)") { touchline_v4l2_open(path) })
        var kind: UInt32 = 0
        _ = try syscall("VIDIOC_QUERYCAP \(path)") { touchline_v4l2_query(opened.rawValue, &kind, nil) }
        guard kind != 0 else { throw SystemCallError("VIDIOC_QUERYCAP \(path)", .invalid) }
        // Without source-change events the format of a stream would never be known.
        _ = try syscall("VIDIOC_SUBSCRIBE_EVENT \(path)") { touchline_v4l2_subscribe(opened.rawValue) }
        name = path
        isMulti = kind & Self.singlePlanar == 0
        file = opened
    }

    private func asking(_ call: String, _ body: () -> CInt) throws(SystemCallError) {
        _ = try syscall("\(call) \(name)", body)
    }

    // MARK: Formats

    func formats(of queue: V4L2Queue) -> [V4L2FormatChoice] {
        var found: [V4L2FormatChoice] = []
        for index in 0..<UInt32(Self.mostFormats) {
            var (format, flags): (UInt32, UInt32) = (0, 0)
            guard touchline_v4l2_enumerate(descriptor, queue.isCoded, multi, index, &format, &flags) == 0 else { break }
            if let onlyPictures, queue == .pictures, format != onlyPictures.rawValue { continue }
            // V4L2_FMT_FLAG_CONTINUOUS_BYTESTREAM
            found.append(V4L2FormatChoice(format: FourCC(rawValue: format), takesPieces: flags & 4 != 0))
        }
        return found
    }

    func format(of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format {
        var answer = touchline_v4l2_format()
        try asking("VIDIOC_G_FMT") { touchline_v4l2_get_format(descriptor, queue.isCoded, multi, &answer) }
        var format = V4L2Format(answer)
        if queue == .pictures, let onlyPictures, format.format != onlyPictures {
            format.format = onlyPictures
            return try setFormat(format, of: queue)
        }
        return noting(format, of: queue)
    }

    func setFormat(_ format: V4L2Format, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format {
        var wish = touchline_v4l2_format(format)
        try asking("VIDIOC_S_FMT") { touchline_v4l2_set_format(descriptor, queue.isCoded, multi, &wish) }
        return noting(V4L2Format(wish), of: queue)
    }

    private func noting(_ format: V4L2Format, of queue: V4L2Queue) -> V4L2Format {
        areas[queue] = format.planes.count
        return format
    }

    func visibleArea() -> V4L2Rectangle? {
        var area: [Int32] = [0, 0, 0, 0]
        guard touchline_v4l2_visible(descriptor, &area) == 0, area[2] > 0, area[3] > 0 else { return nil }
        return V4L2Rectangle(left: Int(area[0]), top: Int(area[1]), width: Int(area[2]), height: Int(area[3]))
    }

    func pixelAspect() -> (width: Int, height: Int)? {
        var (width, height): (UInt32, UInt32) = (0, 0)
        guard touchline_v4l2_pixel_aspect(descriptor, multi, &width, &height) == 0 else { return nil }
        return (Int(width), Int(height))
    }

    func minimumPictures() -> Int? {
        var count: Int32 = 0
        return touchline_v4l2_minimum(descriptor, &count) == 0 ? Int(count) : nil
    }

    // MARK: Buffers

    func makeBuffers(_ count: Int, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Buffers {
        var made = UInt32(clamping: count)
        var capabilities: UInt32 = 0
        try asking("VIDIOC_REQBUFS") {
            touchline_v4l2_request(descriptor, queue.isCoded, multi, &made, &capabilities)
        }
        // V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS
        return V4L2Buffers(count: Int(made), outliveTheirQueue: capabilities & 16 != 0)
    }

    func memory(of index: Int, of queue: V4L2Queue) throws(SystemCallError) -> DeviceMemory {
        var buffer = touchline_v4l2_buffer()
        let number = UInt32(clamping: index)
        try asking("VIDIOC_QUERYBUF") {
            touchline_v4l2_query_buffer(descriptor, queue.isCoded, multi, number, &buffer)
        }
        let (offsets, lengths) = (Array(buffer.offsets), Array(buffer.lengths))
        var mapping = Mapping()
        for plane in 0..<min(Int(buffer.planes), offsets.count) {
            let length = Int(lengths[plane])
            switch queue {
            case .coded:
                try mapping.add(nil, length, PROT_READ | PROT_WRITE, descriptor, off_t(offsets[plane]), name)
            case .pictures:
                let exported = try syscall("VIDIOC_EXPBUF \(name)") {
                    touchline_v4l2_export(descriptor, multi, number, UInt32(plane))
                }
                try mapping.add(exported, length, PROT_READ, exported, 0, name)
            }
        }
        return mapping.finish()
    }

    func enqueue(_ index: Int, of queue: V4L2Queue, octets: Int?, serial: UInt64) throws(SystemCallError) {
        let planes = UInt32(areas[queue] ?? 1)
        try asking("VIDIOC_QBUF") {
            touchline_v4l2_queue(
                descriptor, queue.isCoded, multi, UInt32(clamping: index), planes, UInt32(clamping: octets ?? 0), serial
            )
        }
    }

    func dequeue(from queue: V4L2Queue) throws(SystemCallError) -> V4L2Dequeued {
        var buffer = touchline_v4l2_buffer()
        do throws(SystemCallError) {
            try asking("VIDIOC_DQBUF") { touchline_v4l2_dequeue(descriptor, queue.isCoded, multi, &buffer) }
        } catch {
            switch error.code {
            case .wouldBlock: return .nothing
            case .brokenPipe: return .ended
            default: throw error
            }
        }
        // V4L2_BUF_FLAG_ERROR, V4L2_BUF_FLAG_LAST
        return .buffer(
            V4L2Done(
                index: Int(buffer.index), octets: Int(buffer.octets), serial: buffer.serial,
                isDamaged: buffer.flags & 0x40 != 0, isLast: buffer.flags & 0x10_0000 != 0))
    }

    func stream(_ queue: V4L2Queue, isOn: Bool) throws(SystemCallError) {
        try asking(isOn ? "VIDIOC_STREAMON" : "VIDIOC_STREAMOFF") {
            touchline_v4l2_stream(descriptor, queue.isCoded, multi, isOn ? 1 : 0)
        }
    }

    func drain() throws(SystemCallError) {
        try asking("VIDIOC_DECODER_CMD") { touchline_v4l2_stop(descriptor) }
    }

    func takeEvent() throws(SystemCallError) -> V4L2Event? {
        var (kind, changes): (UInt32, UInt32) = (0, 0)
        do throws(SystemCallError) {
            try asking("VIDIOC_DQEVENT") { touchline_v4l2_event(descriptor, &kind, &changes) }
        } catch {
            // No event is pending.
            if error.code == .notFound || error.code == .wouldBlock { return nil }
            throw error
        }
        switch kind {
        case 5: return changes & 1 != 0 ? .sourceChange : .other  // the resolution, which stands for all of the format
        case 2: return .endOfStream
        default: return .other
        }
    }

    func wait(forCoded: Bool, forPictures: Bool, atMost span: Nanoseconds) {
        var interest = Int16(POLLPRI)
        if forCoded { interest |= Int16(POLLOUT) }
        if forPictures { interest |= Int16(POLLIN) }
        var asked = pollfd(fd: descriptor, events: interest, revents: 0)
        let end = SystemClock.monotonic() + span
        let count = poll(&asked, 1, CInt(clamping: (max(0, span.count) + 999_999) / 1_000_000))
        // With nothing queued, poll reports an error at once. There is nothing to do about it, but it must not make us
        // spin.
        guard count > 0, asked.revents & interest == 0 else { return }
        SystemClock.sleep(until: min(end, SystemClock.monotonic() + .milliseconds(2)))
    }

    func shutDown() {
        // What is refused here is released when the file is closed.
        for queue in V4L2Queue.allCases {
            _ = try? stream(queue, isOn: false)
            _ = try? makeBuffers(0, of: queue)
        }
    }
}

/// The memory planes of one buffer before they become a `DeviceMemory`; they are unmapped if they do not.
private struct Mapping: ~Copyable {
    private var planes: [DeviceMemory.Plane] = []

    mutating func add(
        _ exported: CInt?, _ length: Int, _ protection: CInt, _ source: CInt, _ offset: off_t, _ name: String
    ) throws(SystemCallError) {
        let address = mmap(nil, length, protection, MAP_SHARED, source, offset)
        guard let address, address != MAP_FAILED else {
            let code = Errno.current
            if let exported { close(exported) }
            throw SystemCallError("mmap \(name)", code)
        }
        planes.append(
            DeviceMemory.Plane(
                descriptor: exported, bytes: UnsafeMutableRawBufferPointer(start: address, count: length)))
    }

    mutating func finish() -> DeviceMemory {
        nonisolated(unsafe) let mapped = planes
        planes = []
        return DeviceMemory(mapped) { Mapping.undo(mapped) }
    }

    private static func undo(_ planes: [DeviceMemory.Plane]) {
        for plane in planes {
            munmap(plane.bytes.baseAddress, plane.bytes.count)
            if let descriptor = plane.descriptor { close(descriptor) }
        }
    }

    deinit { Mapping.undo(planes) }
}

extension V4L2Queue {
    fileprivate var isCoded: CInt { self == .coded ? 1 : 0 }
}

extension Array where Element == UInt32 {
    fileprivate init(_ four: (UInt32, UInt32, UInt32, UInt32)) { self = [four.0, four.1, four.2, four.3] }
}

extension V4L2Format {
    fileprivate init(_ format: touchline_v4l2_format) {
        let (strides, octets) = ([UInt32](format.strides), [UInt32](format.octets))
        self.init(
            format: FourCC(rawValue: format.fourcc), width: Int(format.width), height: Int(format.height),
            planes: (0..<min(Int(format.planes), 4)).map { Plane(stride: Int(strides[$0]), octets: Int(octets[$0])) },
            colourSpace: format.colour_space, matrix: format.matrix, range: format.range, transfer: format.transfer)
    }
}

extension touchline_v4l2_format {
    fileprivate init(_ format: V4L2Format) {
        self.init()
        (fourcc, planes) = (format.format.rawValue, UInt32(min(4, format.planes.count)))
        (width, height) = (UInt32(clamping: format.width), UInt32(clamping: format.height))
        func plane(_ index: Int) -> V4L2Format.Plane {
            format.planes.indices.contains(index) ? format.planes[index] : V4L2Format.Plane(stride: 0, octets: 0)
        }
        let all = (plane(0), plane(1), plane(2), plane(3))
        strides = (
            UInt32(clamping: all.0.stride), UInt32(clamping: all.1.stride), UInt32(clamping: all.2.stride),
            UInt32(clamping: all.3.stride)
        )
        octets = (
            UInt32(clamping: all.0.octets), UInt32(clamping: all.1.octets), UInt32(clamping: all.2.octets),
            UInt32(clamping: all.3.octets)
        )
        (colour_space, matrix, range, transfer) = (
            format.colourSpace, format.matrix, format.range, format.transfer
        )
    }
}
