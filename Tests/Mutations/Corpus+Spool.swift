// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Time

extension Corpus {
    /// Files of the boot that `fuzzSpool` reads: segments, one of them cut, and what is settled.
    var spoolFiles: [[UInt8]] {
        let boot = BootID(ordinal: 1, nonce: 0x0123_4567_89AB_CDEF)
        let payloads = [#"{"state":"playing"}"#, #"{"event":"tuned"}"#, #"{"state":"idle"}"#]
        let records = payloads.enumerated().map { index, text in
            SpoolRecord(
                UInt64(index + 1), index == 1 ? .event : .state,
                index == 2 ? nil : WallTime(nanoseconds: 1_795_262_400_000_000_000), Array(text.utf8))
        }
        let segment = records.flatMap { $0.octets(of: boot) }
        var state = SpoolState()
        state.lost = 7
        state.settled = [boot: RangeSet([1..<2, 3..<4]), BootID(ordinal: 2, nonce: 5): RangeSet(9..<40)]
        return [segment, Array(segment.dropLast(5)), state.octets]
    }
}
