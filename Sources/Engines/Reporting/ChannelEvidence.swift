// SPDX-License-Identifier: Apache-2.0

/// What was counted of a channel and of the session that plays it.
public struct ChannelEvidence: Hashable, Sendable {
    // Reception, since the channel is received.
    public var datagrams: Int64 = 0
    public var otherPayloadType: Int64 = 0
    public var transportPackets: Int64 = 0
    public var lostPackets: Int64 = 0
    // Playback, since the session was opened.
    public var scrambledPackets: Int64 = 0
    public var videoUnits: Int64 = 0
    public var unitsSkipped: Int64 = 0
    public var unitsWithoutParameterSets: Int64 = 0
    public var picturesDecoded: Int64 = 0
    public var picturesHeld: Int64 = 0
    /// The program that is to be played and that the stream does not list; nil otherwise.
    public var missingProgram: String?
    /// Numbers and names of the programs that the stream lists.
    public var listedPrograms = ""
    /// Whether the streams of the program are known.
    public var isProgramKnown = false
    /// The streams that the box cannot play.
    public var unsupported: [String] = []

    public init() {}
}
