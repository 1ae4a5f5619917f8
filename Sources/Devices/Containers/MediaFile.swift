// SPDX-License-Identifier: Apache-2.0
import Buffers
internal import CLibAVFormat
import Media

/// A media file (MP4, Matroska, transport stream), its units as a transport stream carries them, its times from 0 (sound may begin a
/// block before, to be decoded and not heard).
/// - Thread: one, which owns it.
public struct MediaFile: ~Copyable {
    public struct Stream: Hashable, Sendable {
        public var codec: Codec
        /// ISO 639; nil when the file does not say.
        public var language: String?
        /// 0 for sound.
        public var width: Int
        public var height: Int
        /// 0 for pictures.
        public var sampleRate: Int
        public var channels: Int
    }

    public enum Choice: Sendable, Hashable {
        case all
        /// Of pictures and of sound.
        case firstOfEach
    }

    static let mostStreams = 64
    /// Units looked at for a random-access point at one place.
    private static let longestSearch = 20_000

    public let path: String
    /// Only what can be carried; other streams are skipped.
    public let streams: [Stream]
    /// 90 kHz ticks; nil when the file does not say.
    public let duration: Int64?
    private let choice: Choice
    private let interrupt: StopFlag
    private var input: InputFile
    private let packet: Packet
    private var filters: [StreamFilter]
    /// `packet` holds what a seek ended with: the next to be given.
    private var isPending: Bool

    /// Reads at most 5 MB, or 2 s of media, to find out what is inside.
    /// - Parameter interrupt: raised by another thread, makes this and every later call throw `interrupted`, between two
    ///   of its reads. (Nothing helps against a single read that hangs in the kernel.)
    public init(
        opening path: String, _ choice: Choice = .all, until interrupt: StopFlag = StopFlag()
    ) throws(ContainerError) {
        let input = try InputFile(opening: path, until: interrupt)
        let packet = try Packet()
        let filters = try input.filters(isFirstOnly: choice == .firstOfEach)
        let streams = filters.map(\.stream)
        guard !filters.isEmpty else { throw .noStreams(path: path) }
        self.path = path
        self.streams = streams
        self.choice = choice
        self.interrupt = interrupt
        duration = input.duration
        self.filters = filters
        self.packet = packet
        self.input = input
        isPending = false
    }

    /// Gives the next units in the file's order; a packet of the file may hold none or several.
    /// - Returns: false at the end of the file.
    public mutating func read(_ body: (MediaPacket) -> Void) throws(ContainerError) -> Bool {
        if isPending {
            isPending = false
        } else {
            guard try input.read(packet.pointer) else { return false }
        }
        defer { av_packet_unref(packet.pointer) }
        guard let index = index(of: packet.pointer.pointee.stream_index) else { return true }
        try filters[index].pass(packet.pointer, as: index, path: path, body)
        return true
    }

    /// Begins again; times begin again too.
    public mutating func rewind() throws(ContainerError) {
        // Seeking a transport stream by time lands near its start; opening it again lands at its start.
        let input = try InputFile(opening: path, until: interrupt)
        let filters = try input.filters(isFirstOnly: choice == .firstOfEach)
        guard filters.map(\.stream) == streams else { throw .noStreams(path: path) }
        self.input = input
        self.filters = filters
        forget()
    }

    /// The next unit read is the last random-access point at or before a time, of the pictures where there are any: the
    /// first of all, where none is before it.
    /// - Parameter time: 90 kHz ticks, as units have them.
    public mutating func seek(to time: Int64) throws(ContainerError) {
        let lead = filters.firstIndex { $0.stream.codec.isVideo } ?? 0
        let time = min(time, duration ?? time)  // behind the end there is nothing to step back from
        var step: Int64 = 0
        // A container without an index knows times, not random-access points: from ever earlier, forward to one.
        while time - step > 0, step < StreamFilter.times.upperBound / 4 {
            forget()
            guard input.seek(to: time - step + input.start, stream: filters[lead].index) else { break }
            if try findRandomAccess(in: lead, notAfter: time) { return }
            step = max(90_000, step * 2)
        }
        try rewind()
    }

    /// - Returns: false when the first random-access point from here on lies behind `time`.
    private mutating func findRandomAccess(in lead: Int, notAfter time: Int64) throws(ContainerError) -> Bool {
        for _ in 0..<Self.longestSearch {
            guard try input.read(packet.pointer) else { return false }
            let filter = filters[lead]
            let isKey = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
            if packet.pointer.pointee.stream_index == filter.index, isKey, let found = filter.time(of: packet.pointer) {
                isPending = found <= time
                if !isPending { av_packet_unref(packet.pointer) }
                return isPending
            }
            av_packet_unref(packet.pointer)
        }
        return false
    }

    /// What was read but not given.
    private mutating func forget() {
        isPending = false
        av_packet_unref(packet.pointer)
        for filter in filters { filter.flush() }
    }

    private func index(of stream: Int32) -> Int? { filters.firstIndex { $0.index == stream } }
}
