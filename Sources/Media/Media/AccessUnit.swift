// SPDX-License-Identifier: Apache-2.0

/// The description of an access unit by a demultiplexer. The octets travel beside it.
public struct AccessUnit: Sendable, BitwiseCopyable {
    /// Presentation time stamp in unwrapped 90 kHz ticks.
    public var pts: Int64
    /// Decoding time stamp in the same ticks; equal to `pts` if the stream has none.
    public var dts: Int64
    public var isRandomAccess: Bool
    /// Number of pictures after which the output of a decoder that begins here is correct; 0 at a random-access point, nil
    /// if the stream says of no such number.
    public var recovery: Int?
    /// Whether the parameter sets have come without which it cannot be decoded.
    public var hasParameterSets: Bool
    /// Whether all of them are in it. If not, a decoder that has seen no earlier unit does not have them.
    public var bringsParameterSets: Bool
    /// Whether packets of the access unit were lost.
    public var isDamaged: Bool
    /// Whether its times are the stream's. Else they are estimates of the decoding time: the picture is presented one
    /// picture behind the one that is presented before it.
    public var hasTimes = true
    /// Whether nothing came behind it for a while: a decoder that waits for the next picture would show it then.
    public var isAlone = false

    public init(
        pts: Int64, dts: Int64, isRandomAccess: Bool, isDamaged: Bool, recovery: Int? = nil,
        hasParameterSets: Bool = true, bringsParameterSets: Bool = true
    ) {
        self.pts = pts
        self.dts = dts
        self.isRandomAccess = isRandomAccess
        self.isDamaged = isDamaged
        self.hasParameterSets = hasParameterSets
        self.bringsParameterSets = bringsParameterSets
        self.recovery = isRandomAccess ? 0 : recovery
    }
}
