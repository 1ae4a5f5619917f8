// SPDX-License-Identifier: Apache-2.0
import Buffers
internal import CLibAVFormat
import Media

/// A media file (MP4, Matroska, transport stream), read as access units in the form that a transport stream carries.
/// Times count from 0; audio may begin a block earlier, to be decoded but not heard.
/// - Thread: one, which owns it.
public struct MediaFile: ~Copyable {
    /// One elementary stream of the file.
    public struct Stream: Hashable, Sendable {
        public var codec: Codec
        /// ISO 639 code; nil when the file does not state one.
        public var language: String?
        /// Picture size in pixels; 0 for audio.
        public var width: Int
        public var height: Int
        /// Samples per second; 0 for video. So is `channels`.
        public var sampleRate: Int
        public var channels: Int
    }

    /// Which streams of the file are read.
    public enum Choice: Sendable, Hashable {
        case all
        /// The first video and the first audio stream.
        case firstOfEach
    }

    static let mostStreams = 64
    /// Limit on the packets read from one position in search of a random-access point.
    private static let longestSearch = 20_000

    public let path: String
    /// The streams that can be carried; others are skipped.
    public let streams: [Stream]
    /// Duration in 90 kHz ticks; nil when the file does not state it.
    public let duration: Int64?
    private let choice: Choice
    private let interrupt: StopFlag
    private var input: InputFile
    private let packet: Packet
    private var filters: [StreamFilter]
    /// `packet` holds the unit at which a seek ended; it is given next.
    private var isPending: Bool

    /// Reads at most 5 MB, or 2 s of media, to find the file's streams.
    /// - Parameter interrupt: when another thread raises it, this and every later call throw `interrupted` between two
    ///   reads. A single read that hangs in the kernel is not interrupted.
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

    /// Gives the next units in the file's order; one packet of the file may hold none or several.
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

    /// Returns to the start of the file; times count from 0 again.
    public mutating func rewind() throws(ContainerError) {
        // Seeking a transport stream by time lands only near its start; opening it again lands exactly there.
        let input = try InputFile(opening: path, until: interrupt)
        let filters = try input.filters(isFirstOnly: choice == .firstOfEach)
        guard filters.map(\.stream) == streams else { throw .noStreams(path: path) }
        self.input = input
        self.filters = filters
        forget()
    }

    /// Positions the file so that the next unit read is the last random-access point at or before a time, or the first
    /// one of all if none is before it. The video stream decides if there is one.
    /// - Parameter time: 90 kHz ticks from the file's start, as in `MediaPacket`.
    public mutating func seek(to time: Int64) throws(ContainerError) {
        let lead = filters.firstIndex { $0.stream.codec.isVideo } ?? 0
        let time = min(time, duration ?? time)  // beyond the end there is no position to step back from
        var step: Int64 = 0
        // A container without an index finds times, not random-access points. So start ever earlier and read forward to
        // one.
        while time - step > 0, step < StreamFilter.times.upperBound / 4 {
            forget()
            guard input.seek(to: time - step + input.start, stream: filters[lead].index) else { break }
            if try findRandomAccess(in: lead, notAfter: time) { return }
            step = max(90_000, step * 2)
        }
        try rewind()
    }

    /// - Returns: false when the next random-access point lies after `time`, or none was found.
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

    /// Discards what was read but not given.
    private mutating func forget() {
        isPending = false
        av_packet_unref(packet.pointer)
        for filter in filters { filter.flush() }
    }

    private func index(of stream: Int32) -> Int? { filters.firstIndex { $0.index == stream } }
}
