// SPDX-License-Identifier: Apache-2.0

/// The description of raw AAC in files and session descriptions (ISO/IEC 14496-3, 1.6.2.1 and 4.4.1), as far as ADTS
/// can express it. What spectral band replication adds is left out: decoders find it in the coded data.
///
///     objectType:5 [31: 32 + :6] rateIndex:4 [15: rate:24] channels:4 [5, 29: rate and objectType of the core]
///     frameLength:1 dependsOnCore:1 …
public struct AudioSpecificConfig: Equatable, Sendable {
    public static let lowComplexity = 2
    private static let replications = [5, 29]

    /// Audio object type of the core.
    public let objectType: Int
    /// Sampling rate of the core in Hz.
    public let sampleRate: Int
    /// channelConfiguration; 0 when a program_config_element further on describes the channels.
    public let channelConfiguration: Int
    /// Whether spectral band replication is described before the core.
    public let saysReplication: Bool
    /// Whether frames have 960 samples or depend on another coder (frameLengthFlag, dependsOnCoreCoder). Meaningless
    /// for object types that are not AAC.
    public let isUnusual: Bool
    /// Bits of the description up to the flags of AAC, the extensionFlag included. What may follow is left out.
    public let bits: Int

    /// - Throws: `.truncated`; `.unsupported` for a reserved rate.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = BitReader(bytes)
        try self.init(from: &reader)
    }

    /// Leaves the reader after `bits`.
    public init(from reader: inout BitReader) throws(WireError) {
        let available = reader.remaining
        var type = try Self.objectType(&reader)
        sampleRate = try Self.sampleRate(&reader)
        channelConfiguration = Int(try reader.read(4))
        saysReplication = Self.replications.contains(type)
        if saysReplication {  // the first rate is the core's, the second the extended one
            _ = try Self.sampleRate(&reader)
            type = try Self.objectType(&reader)
        }
        objectType = type
        isUnusual = try reader.read(2) != 0
        _ = try reader.read(1)
        bits = available - reader.remaining
    }

    /// The ADTS framing of this stream; nil when ADTS cannot express it.
    /// - Parameter fallback: number of channels to use when channelConfiguration is 0.
    public func framing(fallback: Int = 0) -> ADTSFrame? {
        let channels: Int
        switch channelConfiguration {
        case 0: channels = fallback
        case 7: channels = 8
        case 8...: return nil
        default: channels = channelConfiguration
        }
        return ADTSFrame(sampleRate: sampleRate, channels: channels, profile: objectType - 1)
    }

    private static func objectType(_ reader: inout BitReader) throws(WireError) -> Int {
        let type = try reader.read(5)
        return type < 31 ? Int(type) : 32 + Int(try reader.read(6))
    }

    private static func sampleRate(_ reader: inout BitReader) throws(WireError) -> Int {
        let offset = reader.offset
        let index = Int(try reader.read(4))
        if index == 15 { return Int(try reader.read(24)) }
        guard index < ADTSFrame.sampleRates.count else {
            throw WireError(.unsupported("samplingFrequencyIndex", UInt64(index)), at: offset)
        }
        return ADTSFrame.sampleRates[index]
    }
}
