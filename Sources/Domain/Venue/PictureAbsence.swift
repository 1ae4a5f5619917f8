// SPDX-License-Identifier: Apache-2.0

/// Why a channel that is tuned shows no picture, in the words of a network engineer.
public enum PictureAbsence: Hashable, Sendable {
    case nothingArrives
    /// RTP arrives, of a payload type that was not announced.
    case otherPayloadType
    case noTransportStream
    /// A transport stream arrives, and neither PAT nor PMT of the program that is to be played.
    case noProgram
    /// The transport stream has other programs than the one that is to be played.
    case programMissing(String, listed: String)
    case scrambled
    /// - Parameter names: the streams that the box cannot play.
    case codec(String)
    case loss(percent: Int64)
    /// Pictures arrive, and none with which decoding can begin.
    case noEntryPoint
    /// Pictures arrive, and never what describes their coding: some encoders send it at their start alone.
    case noParameterSets
    case undecodable
    /// Pictures are decoded, none of them is known to be right, and damaged ones are not to be shown.
    case heldBack

    /// Continues a sentence that names the channel.
    public var text: String {
        switch self {
        case .nothingArrives: "nothing arrives from the network"
        case .otherPayloadType: "its packets have an RTP payload type that was not announced"
        case .noTransportStream: "its packets hold no stream of the announced kind"
        case .noProgram: "its transport stream has no PAT and PMT of a program"
        case .programMissing(let program, let listed):
            "its transport stream has no program \(program); it has \(listed)"
        case .scrambled: "it is scrambled"
        case .codec(let names): "the box cannot decode \(names)"
        case .loss(let percent): "\(percent) % of its packets are lost"
        case .noEntryPoint: "no picture has come with which decoding can begin"
        case .noParameterSets: "its parameter sets have not come, without which no picture can be decoded"
        case .undecodable: "its pictures cannot be decoded"
        case .heldBack: "none of its pictures is known to be undamaged, and playback.damage is hold"
        }
    }
}
