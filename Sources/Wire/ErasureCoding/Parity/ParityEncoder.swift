// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// Makes the parity packets of an RTP flow (SMPTE ST 2022-1): blocks of `columns` × `rows` packets in their order.
///
/// A row goes out behind its last packet. Columns go out spread over the next block, one each `rows` packets, so that a
/// burst takes few of them and the sender's rate stays even: a receiver must wait two blocks for a packet's repair.
/// A packet that does not follow the one before begins a new block; what the unfinished one had is dropped.
///
/// Owns all its memory from `init` on; nothing is allocated per packet. Not thread-safe.
public final class ParityEncoder {
    /// When the columns of a block go out.
    public enum ColumnTiming: Hashable, Sendable {
        case overNextBlock, atBlockEnd
    }

    /// Receivers need only do 1...20 columns, 4...20 rows and 100 packets of a block (ST 2022-1 §7).
    public static let range = 1...255

    private let columns: Int
    private let rows: Int
    private let withRows: Bool
    private let timing: ColumnTiming
    private let packetOctets: Int
    /// Two sets of columns, that of the block and that of the one before, and the row: payloads with room in front.
    private let memory: UnsafeMutableRawPointer
    private let stride: Int
    private var gathering: [ParitySum]
    private var leaving: [ParitySum]
    private var row: ParitySum
    private var writer = WireWriter(reserving: ParityHeader.size)

    private var columnSequence: UInt16
    private var rowSequence: UInt16
    /// Of the block.
    private var base: UInt16 = 0
    /// Packets of the block so far.
    private var position = 0
    /// Of the block whose columns are leaving.
    private var leavingBase: UInt16 = 0
    /// Columns of it that are gone.
    private var gone: Int
    private var timestamp: UInt32 = 0

    /// - Parameters:
    ///   - columns: L, in `range`: packets of a row.
    ///   - rows: D, in `range`: packets of a column.
    ///   - packetOctets: of the longest RTP packet.
    ///   - columnSequence: of the first packet of the columns' flow, to be random; likewise `rowSequence`.
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
    ///   - packet: the RTP packet as it goes out, at most `packetOctets`.
    ///   - send: given what is to go out behind it; valid for the call. It must not call back.
    /// - Returns: false for what is no RTP packet, or too long: the encoder is as it was.
    @discardableResult
    public func packetSent(
        _ packet: UnsafeRawBufferPointer, send: (_ packet: UnsafeRawBufferPointer, _ flow: ParityFlow) -> Void
    ) -> Bool {
        // Its error says no more than that it is none.
        guard let media = try? ParityMedia(packet), packet.count <= packetOctets else { return false }
        if position > 0, media.sequence != base &+ UInt16(truncatingIfNeeded: position) { beginBlock() }
        if position == 0 { base = media.sequence }
        timestamp = media.timestamp
        let column = position % columns
        gathering[column].add(media, of: packet)
        if withRows { row.add(media, of: packet) }
        // Column k behind packet k × D of the block that follows; the last before that block ends.
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

    /// How long after a packet its last repair goes out, at so many packets a second: two blocks with columns spread over
    /// the next one. What is announced must be more by what the network adds.
    public static func span(columns: Int, rows: Int, packetsPerSecond: Int) -> Nanoseconds {
        .seconds(Int64(2 * columns * rows)) / Int64(packetsPerSecond)
    }

    /// The stream pauses or ends: sends what columns of the last whole block are left.
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

    /// Puts the header into the room in front of the payload.
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
