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
                NALUnit(type: 9, start: 1, range: 5..<7), NALUnit(type: 7, start: 7, range: 10..<14),
                NALUnit(type: 1, start: 15, range: 19..<21),
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
    }

    @Test func dividesSeveralPictures() {
        let several = Array(pictures[0...3].joined())
        let ranges = several.withUnsafeBytes { Array(H264AccessUnits($0)) }
        #expect(ranges.map(\.count) == pictures[0...3].map(\.count))
        let plain = pictures[0...3].map { $0.dropFirst(6) }
        let undelimited = Array(plain.joined())
        #expect(undelimited.withUnsafeBytes { Array(H264AccessUnits($0)) }.map(\.count) == plain.map(\.count))
    }

    @Test func keepsASecondFieldWithItsFirst() {
        let delimiter: [UInt8] = [0, 0, 1, 9, 0xF0]
        let slice: [UInt8] = [0, 0, 1, 0x41, 0x88]
        let bytes = delimiter + slice + slice + delimiter + slice
        #expect(bytes.withUnsafeBytes { Array(H264AccessUnits($0)) } == [0..<15, 15..<25])
    }

    private func sps() throws -> [UInt8] {
        try pictures[0].withUnsafeBytes { bytes in
            let unit = try #require(NALUnits(bytes).first { $0.type == NALUnit.Kind.sequenceParameters })
            return Array(bytes[unit.range])
        }
    }

    @Test func readsTheSequenceParameters() throws {
        let sps = try sps().withUnsafeBytes { try H264SPS($0, in: 0..<$0.count) }
        #expect(sps.width == 160 && sps.height == 90 && sps.profile == 100 && sps.level == 11 && !sps.isInterlaced)
        #expect(sps.timing == H264SPS.Timing(unitsInTick: 1, timeScale: 50, isFixed: false))
        #expect(sps.colour == H264SPS.Colour(isFullRange: false, primaries: 1, transfer: 1, matrix: 1))
        #expect(sps.sampleAspect == SampleAspect(width: 1, height: 1))
    }

    @Test func throwsWhenCut() throws {
        let sps = try sps()
        for length in 0..<sps.count - 8 {  // what stands behind the timing is not read
            #expect(throws: WireError.self) { try sps.withUnsafeBytes { try H264SPS($0, in: 0..<length) } }
        }
    }

    /// Baseline, so that the sizes follow soon: 1 macroblock, cropped by more than there is; and a width of 2^31.
    @Test(arguments: [
        [0x67, 66, 0, 10, 0b1111_0111, 0b1111_1100, 0b0010_0001, 0b0000_1000, 0b0100_0010, 0xFF] as [UInt8],
        [0x67, 66, 0, 10, 0b1111_0110, 0, 0, 0, 1, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF],
        [0x67, 66, 0, 10] + Array(repeating: 0, count: 40),
        [0x68, 66, 0, 10, 0xFF, 0xFF],
    ]) func refusesParametersThatLie(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try bytes.withUnsafeBytes { try H264SPS($0, in: 0..<$0.count) } }
    }

    @Test func staysWithinDamagedBytes() throws {
        let sps = try sps()
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            let damaged = mutation.damage(sps)
            if let read = try? damaged.withUnsafeBytes({ try H264SPS($0, in: 0..<$0.count) }) {  // refusing is right
                #expect((1...16880).contains(read.width) && (1...33760).contains(read.height), "seed \(seed)")
            }
            let picture = mutation.damage(pictures[0])
            picture.withUnsafeBytes { bytes in
                var end = 0
                for range in H264AccessUnits(bytes) {
                    #expect(range.lowerBound == end, "seed \(seed)")
                    end = range.upperBound
                    _ = H264AccessUnit.inspect(UnsafeRawBufferPointer(rebasing: bytes[range]))
                }
                #expect(end == bytes.count, "seed \(seed)")
            }
        }
    }
}
