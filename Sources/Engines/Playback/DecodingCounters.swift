// SPDX-License-Identifier: Apache-2.0
import Codecs

/// The fields of `PlaybackCounters` that the decode thread counts, under the same names.
struct DecodingCounters: Sendable {
    var videoOctets: Int64 = 0
    var framesDecoded: Int64 = 0
    var damagedFrames: Int64 = 0
    var picturesHeld: Int64 = 0
    var picturesPassed: Int64 = 0
    var picturesTooLate: Int64 = 0
    var decodeErrors: Int64 = 0
    var decoderStarts: Int64 = 0
    var decoderTier: Int64 = 0
    var decoderRestarts: Int64 = 0
    var decodersHung: Int64 = 0
    var unitsSkipped: Int64 = 0
    var unitsWithoutParameterSets: Int64 = 0
    var unitsLeftOut: Int64 = 0
    var ladderStep: Int64 = 0
    var ladderChanges: Int64 = 0
    var decodeLoad: Int64 = 0

    /// What the next thread begins to count with when the decoder of this one hangs.
    var behindHang: DecodingCounters {
        var next = self
        next.decodersHung += 1
        next.decoderRestarts += 1
        (next.decoderTier, next.ladderStep, next.decodeLoad) = (0, 0, 0)
        return next
    }
}

extension PlaybackCounters {
    /// Adds the counts of the decode thread to those of the read thread.
    func adding(_ decoding: DecodingCounters) -> PlaybackCounters {
        var sum = self
        sum.videoOctets = decoding.videoOctets
        sum.framesDecoded = decoding.framesDecoded
        sum.damagedFrames = decoding.damagedFrames
        sum.picturesHeld = decoding.picturesHeld
        sum.picturesPassed = decoding.picturesPassed
        sum.picturesTooLate = decoding.picturesTooLate
        sum.decodeErrors = decoding.decodeErrors
        sum.decoderStarts = decoding.decoderStarts
        sum.decoderTier = decoding.decoderTier
        sum.decoderRestarts = decoding.decoderRestarts
        sum.decodersHung = decoding.decodersHung
        sum.unitsSkipped += decoding.unitsSkipped
        sum.unitsWithoutParameterSets += decoding.unitsWithoutParameterSets
        sum.unitsLeftOut += decoding.unitsLeftOut
        sum.ladderStep = decoding.ladderStep
        sum.ladderChanges = decoding.ladderChanges
        sum.decodeLoad = decoding.decodeLoad
        return sum
    }
}

extension LadderDecoder.Tier {
    /// The number in `PlaybackCounters.decoderTier`.
    var number: Int64 {
        switch self {
        case .none: 0
        case .software: 1
        case .device: 2
        }
    }
}
