// SPDX-License-Identifier: Apache-2.0
import Bytes
import Forwarding
import Time

/// Files of reports as a worn disk may leave them: what is read can be written and read again, and a spool that finds them
/// sends each report once and then has nothing left.
func fuzzSpool(_ bytes: UnsafeRawBufferPointer) {
    let octets = Array(bytes)
    let boot = BootID(ordinal: 1, nonce: 0x0123_4567_89AB_CDEF)
    let content = SegmentContent(octets, of: boot, from: 1)
    precondition(content.records.reduce(0) { $0 + $1.payload.count } <= octets.count)
    let written = SegmentContent(content.records.flatMap { $0.octets(of: boot) }, of: boot, from: 1)
    precondition(written.records == content.records && written.damagedPlaces == 0 && !written.isTorn)
    let state = withChecksum(octets)
    if let state = try? SpoolState(parsing: state) {  // refusing is an answer
        guard let again = try? SpoolState(parsing: state.octets) else { preconditionFailure("it is not read again") }
        precondition(again == state)
    }
    let files = MemoryFiles(["\(boot)-0000000000000001.spool": octets, "settled": state])
    var random = SystemRandomNumberGenerator()
    let now = Moment(Monotonic(nanoseconds: 0), nil)
    let spool = Spool(files, at: now, &random)
    var sent: Int64 = 0
    while let batch = spool.summary(octets: 1_000, at: now.now).backlog {
        sent += Int64(batch.records.count)
        precondition(sent <= Int64(content.records.count))
        spool.settle(Settlement(batch.boot, acknowledged: batch.sequences, refused: RangeSet()), at: now)
    }
    precondition(spool.counters.pending == 0 && spool.counters.acknowledged == sent)
    precondition(!files.contents.keys.contains { $0.hasSuffix(".spool") })
}

/// The same as a state with the right checksum, which no mutation would find.
private func withChecksum(_ octets: [UInt8]) -> [UInt8] {
    guard octets.count > 8 else { return octets }
    var writer = WireWriter()
    writer.write(contentsOf: octets)
    writer.overwrite(CRC32(.castagnoli, octets[8...]).value, at: 4)
    return writer.bytes
}
