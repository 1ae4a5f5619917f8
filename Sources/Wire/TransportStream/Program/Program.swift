// SPDX-License-Identifier: Apache-2.0

/// A program of the transport stream and which of its streams are delivered.
public struct Program: Sendable, Equatable {
    public let number: UInt16
    public let mapPID: UInt16
    public let pcrPID: UInt16?
    public let streams: [ElementaryStream]
    /// The first stream of a codec that we deliver.
    public let video: ElementaryStream?
    public let audio: ElementaryStream?

    public init(number: UInt16, mapPID: UInt16, pcrPID: UInt16?, streams: [ElementaryStream]) {
        self.number = number
        self.mapPID = mapPID
        self.pcrPID = pcrPID
        self.streams = streams
        video = streams.first { $0.codec.isVideo && $0.codec.isSupported }
        audio = streams.first { $0.codec.isAudio && $0.codec.isSupported }
    }

    /// Pictures and sound in codecs that we do not deliver.
    public var unsupported: [ElementaryStream] {
        streams.filter { ($0.codec.isVideo || $0.codec.isAudio) && !$0.codec.isSupported }
    }
}
