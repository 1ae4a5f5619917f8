// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// Makes the parity packets of an RTP flow (SMPTE ST 2022-1), for blocks of `columns` × `rows` consecutive packets.
///
/// A row is sent after its last packet. Columns are spread over the next block, one every `rows` packets, so that a
/// burst loses few of them and the sender's rate stays even. A receiver must wait two blocks for the repair of a
/// packet. A packet that does not follow the previous one begins a new block; the unfinished one is dropped.
///
/// All memory is allocated in `init`, none per packet. Not thread-safe.
public final class ParityEncoder {
    /// When the columns of a block are sent.
    public enum ColumnTiming: Hashable, Sendable {
        case overNextBlock, atBlockEnd
    }

    /// Range of columns and of rows. Receivers need to support only 1...20 columns, 4...20 rows and 100 packets per
    /// block (ST 2022-1 §7).
    public static let range = 1...255

    private let columns: Int
    private let rows: Int
    private let withRows: Bool
    private let timing: ColumnTiming
    private let packetOctets: Int
    /// Payloads, each with room for a header in front: the columns of the current and of the previous block, and the
    /// row.
    private let memory: UnsafeMutableRawPointer
    private let stride: Int
    private var gathering: [ParitySum]
    private var leaving: [ParitySum]
    private var row: ParitySum
    private var writer = WireWriter(reserving: ParityHeader.size)

    private var columnSequence: UInt16
    private var rowSequence: UInt16
    /// Sequence number of the current block's first packet.
    private var base: UInt16 = 0
    /// Number of packets in the current block so far.
    private var position = 0
    /// Sequence number of the first packet of the block whose columns are being sent.
    private var leavingBase: UInt16 = 0
    /// Number of its columns that have been sent.
    private var gone: Int
    private var timestamp: UInt32 = 0

    /// - Parameters:
    ///   - columns: L, packets of a row, in `range`.
    ///   - rows: D, packets of a column, in `range`.
    ///   - packetOctets: octets of the longest RTP packet.
    ///   - columnSequence: first sequence number of the columns' flow, to be chosen at random.
    ///   - rowSequence: first sequence number of the rows' flow, likewise.
    public init(
        columns: Int, rows: Int, withRows: Bool = true, timing: ColumnTiming = .overNextBlock,
        packetOctets: Int = 1_500, columnSequence: UInt16 = 0, rowSequence: UInt16 = 0
    ) {
        precondition(Self.range.contains(columns) && Self.range.contains(rows))
        precondition((ParityMedia.headerOctets...65_000).contains(packetOctets))
        self.columns = columns
        self.rows = rows
        self.withRows = withRows
        self.timing = timing
        self.packetOctets = packetOctets
        self.columnSequence = columnSequence
        self.rowSequence = rowSequence
        let room = ParityHeader.size
        let stride = (room + packetOctets - ParityMedia.headerOctets + 7) & ~7
        self.stride = stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: stride * (2 * columns + 1), alignment: 8)
        self.memory = memory
        gathering = (0..<columns).map { ParitySum(in: memory + ($0 * stride + room)) }
        leaving = (columns..<2 * columns).map { ParitySum(in: memory + ($0 * stride + room)) }
        row = ParitySum(in: memory + (2 * columns * stride + room))
        gone = columns
    }

    deinit { memory.deallocate() }

    /// - Parameters:
    ///   - packet: the RTP packet as it is sent, at most `packetOctets`.
    ///   - send: called with each parity packet to be sent after it, valid during the call. It must not call the
    ///     encoder.
    /// - Returns: false if it is not an RTP packet or too long; the encoder is then unchanged.
    @discardableResult
    public func packetSent(
        _ packet: UnsafeRawBufferPointer, send: (_ packet: UnsafeRawBufferPointer, _ flow: ParityFlow) -> Void
    ) -> Bool {
        // The error says only that it is not an RTP packet.
        guard let media = try? ParityMedia(packet), packet.count <= packetOctets else { return false }
        if position > 0, media.sequence != base &+ UInt16(truncatingIfNeeded: position) { beginBlock() }
        if position == 0 { base = media.sequence }
        timestamp = media.timestamp
        let column = position % columns
        gathering[column].add(media, of: packet)
        if withRows { row.add(media, of: packet) }
        // Column k follows packet k × D of the next block; the last column follows before that block ends.
        if position == gone * rows { sendColumn(send) }
        position += 1
        if withRows, column == columns - 1 { sendRow(send) }
        guard position == columns * rows else { return true }
        while gone < columns { sendColumn(send) }
        swap(&gathering, &leaving)
        leavingBase = base
        gone = 0
        beginBlock()
        if timing == .atBlockEnd { finish(send: send) }
        return true
    }

    /// Time from a packet to its last parity packet at this packet rate: two blocks, with columns spread over the next
    /// block. The announced span must also contain the jitter of the network.
    public static func span(columns: Int, rows: Int, packetsPerSecond: Int) -> Nanoseconds {
        .seconds(Int64(2 * columns * rows)) / Int64(packetsPerSecond)
    }

    /// Sends the remaining columns of the last complete block, because the stream pauses or ends.
    public func finish(send: (_ packet: UnsafeRawBufferPointer, _ flow: ParityFlow) -> Void) {
        while gone < columns { sendColumn(send) }
    }

    private func beginBlock() {
        for index in gathering.indices { gathering[index].clear() }
        row.clear()
        position = 0
    }

    private func sendColumn(_ send: (UnsafeRawBufferPointer, ParityFlow) -> Void) {
        guard gone < columns else { return }
        let header = ParityHeader(
            flow: .columns, sequence: columnSequence, timestamp: timestamp,
            base: leavingBase &+ UInt16(truncatingIfNeeded: gone), offset: UInt8(columns), count: UInt8(rows))
        columnSequence &+= 1
        emit(header, leaving[gone], send)
        gone += 1
    }

    private func sendRow(_ send: (UnsafeRawBufferPointer, ParityFlow) -> Void) {
        let header = ParityHeader(
            flow: .rows, sequence: rowSequence, timestamp: timestamp,
            base: base &+ UInt16(truncatingIfNeeded: position - columns), offset: 1, count: UInt8(columns))
        rowSequence &+= 1
        emit(header, row, send)
        row.clear()
    }

    /// Writes the header into the room in front of the payload and sends both.
    private func emit(
        _ unfilled: ParityHeader, _ sum: ParitySum, _ send: (UnsafeRawBufferPointer, ParityFlow) -> Void
    ) {
        var header = unfilled
        header.flagsRecovery = sum.flags
        header.typeRecovery = sum.type
        header.timestampRecovery = sum.timestamp
        header.lengthRecovery = sum.length
        writer.removeAll()
        header.write(to: &writer)
        let start = sum.payload - ParityHeader.size
        writer.bytes.withUnsafeBytes { octets in
            UnsafeMutableRawBufferPointer(start: start, count: ParityHeader.size).copyMemory(from: octets)
        }
        send(UnsafeRawBufferPointer(start: start, count: ParityHeader.size + sum.payloadCount), header.flow)
    }
}
