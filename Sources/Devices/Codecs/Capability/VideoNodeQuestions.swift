// SPDX-License-Identifier: Apache-2.0
internal import CV4L2Shims
import System

/// An open V4L2 memory-to-memory device, stateful or not, that is only queried and never streams.
final class VideoNodeQuestions: V4L2Questions {
    let identity: V4L2Identity
    private let file: FileDescriptor

    /// Opening is fast for most devices; some load their firmware.
    /// - Throws: also if the node is not a memory-to-memory device.
    init(opening path: String) throws(SystemCallError) {
        let opened = FileDescriptor(adopting: try syscall("open \(path)") { touchline_v4l2_open(path) })
        var kind: UInt32 = 0
        var names = touchline_v4l2_names()
        _ = try syscall("VIDIOC_QUERYCAP \(path)") { touchline_v4l2_query(opened.rawValue, &kind, &names) }
        guard kind != 0 else { throw SystemCallError("VIDIOC_QUERYCAP \(path)", .invalid) }
        identity = V4L2Identity(
            path: path, driver: Self.text(names.driver), card: Self.text(names.card), bus: Self.text(names.bus),
            isMultiPlanar: kind & 0x8000 == 0)  // V4L2_CAP_VIDEO_M2M
        file = opened
    }

    func format(_ index: Int, of queue: V4L2Queue) -> (format: FourCC, isCompressed: Bool)? {
        var (format, flags): (UInt32, UInt32) = (0, 0)
        let result = touchline_v4l2_enumerate(
            file.rawValue, queue == .coded ? 1 : 0, identity.isMultiPlanar ? 1 : 0, UInt32(clamping: index), &format,
            &flags)
        // V4L2_FMT_FLAG_COMPRESSED
        return result == 0 ? (FourCC(rawValue: format), flags & 1 != 0) : nil
    }

    func frameSize(_ index: Int, of format: FourCC) -> V4L2FrameSize? {
        var sizes: [UInt32] = [0, 0, 0, 0]
        guard touchline_v4l2_frame_size(file.rawValue, format.rawValue, UInt32(clamping: index), &sizes) == 0 else {
            return nil
        }
        return V4L2FrameSize(
            smallestWidth: sizes[0], smallestHeight: sizes[1], largestWidth: sizes[2], largestHeight: sizes[3])
    }

    func menu(_ control: UInt32) -> (first: Int32, last: Int32)? {
        var (first, last): (Int32, Int32) = (0, 0)
        return touchline_v4l2_menu(file.rawValue, control, &first, &last) == 0 ? (first, last) : nil
    }

    func item(_ index: UInt32, of control: UInt32) -> String? {
        var name = [CChar](repeating: 0, count: 33)
        guard touchline_v4l2_menu_item(file.rawValue, control, index, &name) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// - Parameter characters: a C array that ends with NUL.
    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
