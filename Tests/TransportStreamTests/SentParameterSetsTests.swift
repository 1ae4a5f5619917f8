// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TransportStream

struct SentParameterSetsTests {
    private static let code: [UInt8] = [0, 0, 0, 1]
    private static let slice: [UInt8] = [0x41, 0x9A, 0x55]
    private static let sequence: [UInt8] = [0, 0, 1, 0xB3, 0x28, 0x01, 0x68, 0x13, 0xFF, 0xFF, 0xE0, 0x18]
    private static let sequenceExtension: [UInt8] = [0, 0, 1, 0xB5, 0x14, 0x82, 0x00, 0x01, 0x00, 0x00]
    private static let picture: [UInt8] = [0, 0, 1, 0x00, 0x00, 0x0F, 0xFF, 0xF8, 0, 0, 1, 1, 0x13]

    private static func kept(_ codec: StreamCodec, _ picture: [UInt8]) -> [UInt8] {
        var sent = SentParameterSets()
        picture.withUnsafeBytes { sent.keep(codec, of: $0) }
        return slice.withUnsafeBytes { sent.before($0) }.dropLast(slice.count)
    }

    private static func units(_ units: [UInt8]...) -> [UInt8] { units.flatMap { code + $0 } }

    @Test func thoseOfH264() {
        let (sequence, picture): ([UInt8], [UInt8]) = ([0x67, 0x42, 0xC0, 0x1E], [0x68, 0xCE, 0x0F, 0xC8])
        let unit = Self.units([9, 0xF0], sequence, [6, 5, 1, 0x80], picture, [0x65, 0x88, 0x84], [0x68, 1, 1])
        #expect(Self.kept(.h264, unit) == Self.units(sequence, picture))
    }

    @Test func thoseOfHEVC() {
        let sets: [[UInt8]] = [[0x40, 1, 0x0C], [0x42, 1, 1], [0x44, 1, 0xC0]]
        let unit = Self.units([0x46, 1, 0x50], sets[0], sets[1], sets[2], [0x4E, 1, 5], [0x26, 1, 0xAF], sets[2])
        #expect(Self.kept(.hevc, unit) == Self.units(sets[0], sets[1], sets[2]))
    }

    @Test func thoseOfMPEGVideo() {
        let group: [UInt8] = [0, 0, 1, 0xB8, 0, 8, 0, 0x40]
        let head = Self.sequence + Self.sequenceExtension
        #expect(Self.kept(.mpeg2Video, head + group + Self.picture) == head)
        #expect(Self.kept(.mpeg1Video, Self.sequence + Self.picture) == Self.sequence)
        #expect(Self.kept(.mpeg2Video, Self.picture + head).isEmpty)
    }

    @Test func onlyTheLastStay() {
        var sent = SentParameterSets()
        for set: [UInt8] in [[0x67, 1, 2], [0x67, 3, 4]] {
            Self.units(set, [0x65, 0x88]).withUnsafeBytes { sent.keep(.h264, of: $0) }
        }
        #expect(Self.slice.withUnsafeBytes { sent.before($0) } == Self.units([0x67, 3, 4]) + Self.slice)
        Self.units([0x67] + [UInt8](repeating: 0x55, count: 70_000)).withUnsafeBytes { sent.keep(.h264, of: $0) }
        #expect(Self.slice.withUnsafeBytes { sent.before($0) } == Self.slice, "too long")
    }

    @Test(arguments: Effort.seeds(200)) func mutationNeverTraps(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        let bytes = mutation.damage(Self.units([0x67, 0x42], [0x42, 1, 1], [0x68, 3]) + Self.sequence + Self.picture)
        for codec: StreamCodec in [.h264, .hevc, .mpeg2Video, .fwht] {
            #expect(Self.kept(codec, bytes).count <= bytes.count)
        }
    }
}
