// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

@Suite struct H264Tests {
    private let pictures: [[UInt8]]

    init() throws { pictures = RecordingSink.demultiplex(try Vector.bytes("testsrc2.ts")).sink.video.map(\.bytes) }

    private func types(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { NALUnits($0).map(\.type) } }

    @Test func findsUnitsBehindBothStartCodes() {
        let bytes: [UInt8] = [7, 0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x67, 0, 0, 3, 0, 0, 0, 0, 1, 0x41, 0x80, 0, 0, 1]
        let units = bytes.withUnsafeBytes { Array(NALUnits($0)) }
        #expect(
            units == [
                NALUnit(header: 9, start: 1, range: 5..<7), NALUnit(header: 0x67, start: 7, range: 10..<14),
                NALUnit(header: 0x41, start: 15, range: 19..<21),
            ])
    }

    @Test func findsNothingInNothing() {
        for bytes in [[], [0], [0, 0, 1], [0, 0, 0, 1], [1, 2, 3, 4]] as [[UInt8]] { #expect(types(bytes).isEmpty) }
    }

    @Test func inspectsWhatX264Makes() {
        let first = pictures[0].withUnsafeBytes { H264AccessUnit.inspect($0) }
        #expect(first.hasDelimiter && first.hasSPS && first.hasPPS && first.containsIDR && first.isIntra)
        #expect(first.isRandomAccess && first.sliceCount == 1)
        let second = pictures[1].withUnsafeBytes { H264AccessUnit.inspect($0) }
        #expect(second.hasDelimiter && !second.hasSPS && !second.isRandomAccess && !second.isIntra)
    }

    /// x264 with open-gop begins its later groups with a recovery point and an I picture.
    @Test func takesARecoveryPointForRandomAccess() {
        let recovery: [UInt8] = [0, 0, 1, 6, 6, 1, 0xC4, 0x80]
        let intra: [UInt8] = [0, 0, 1, 0x41, 0x88]  // first_mb 0, slice_type 7
        let predicted: [UInt8] = [0, 0, 1, 0x41, 0xE0]  // slice_type 0
        let inspect = { (bytes: [UInt8]) in bytes.withUnsafeBytes { H264AccessUnit.inspect($0) } }
        #expect(inspect(recovery + intra).isRandomAccess)
        #expect(!inspect(recovery + predicted).isRandomAccess && !inspect(intra).isRandomAccess)
        #expect(!inspect(recovery + intra + predicted).isRandomAccess)
        let parameters: [UInt8] = [0, 0, 1, 0x67, 66, 0, 0, 1, 0x68, 1]
        #expect(inspect(parameters + intra).isRandomAccess && !inspect(parameters + predicted).isRandomAccess)
        let later: [UInt8] = [0, 0, 1, 6, 6, 1, 0x24, 0x80]  // in three pictures
        #expect(!inspect(parameters + later + intra).isRandomAccess)
        #expect(inspect(parameters + later + predicted).recovery == 3 && inspect(recovery + intra).recovery == 0)
        #expect(inspect(parameters + predicted).recovery == nil)
    }

    @Test func staysWithinDamagedBytes() throws {
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            _ = mutation.damage(pictures[0]).withUnsafeBytes { H264AccessUnit.inspect($0) }
        }
    }
}
