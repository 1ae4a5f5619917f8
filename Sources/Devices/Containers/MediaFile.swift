// SPDX-License-Identifier: Apache-2.0
internal import CLibAVFormat
import Media

/// A media file (MP4, Matroska, transport stream) read in order, its units as a transport stream carries them.
/// - Thread: one, which owns it.
public struct MediaFile: ~Copyable {
    public struct Stream: Hashable, Sendable {
        public var codec: Codec
        /// 0 for sound.
        public var width: Int
        public var height: Int
        /// 0 for pictures.
        public var sampleRate: Int
        public var channels: Int
    }

    public let path: String
    /// Only what can be carried; other streams are skipped.
    public let streams: [Stream]
    private var input: InputFile
    private let packet: Packet
    private var filters: [StreamFilter]

    /// Reads at most 5 MB, or 2 s of media, to find out what is inside.
    public init(opening path: String) throws(ContainerError) {
        let input = try InputFile(opening: path)
        let packet = try Packet()
        let filters = try input.filters()
        let streams = filters.map(\.stream)
        guard !filters.isEmpty else { throw .noStreams(path: path) }
        self.path = path
        self.streams = streams
        self.filters = filters
        self.packet = packet
        self.input = input
    }

    /// Gives the next units in the file's order; a packet of the file may hold none or several.
    /// - Returns: false at the end of the file.
    public mutating func read(_ body: (MediaPacket) -> Void) throws(ContainerError) -> Bool {
        guard try input.read(packet.pointer) else { return false }
        defer { av_packet_unref(packet.pointer) }
        guard let index = filters.firstIndex(where: { $0.index == packet.pointer.pointee.stream_index }) else {
            return true
        }
        try filters[index].pass(packet.pointer, as: index, path: path, body)
        return true
    }

    /// Begins again; times begin again too.
    public mutating func rewind() throws(ContainerError) {
        // Seeking a transport stream by time lands near its start; opening it again lands at its start.
        let input = try InputFile(opening: path)
        let filters = try input.filters()
        guard filters.map(\.stream) == streams else { throw .noStreams(path: path) }
        self.input = input
        self.filters = filters
    }
}
