// SPDX-License-Identifier: Apache-2.0
import Statistics
import Venue

extension PlaybackCounters {
    /// Declared in the order in which they are shown.
    public static let statistics: [Statistic<Self>] = [
        .counter("videoOctets", \.videoOctets, .octets, "Octets of video that were handed to the decoder.")
            .known(as: SessionStatistic.videoOctets.rawValue),
        .counter("videoUnits", \.videoUnits, "units", "Access units of video that were read."),
        .counter(
            "damagedVideoUnits", \.damagedVideoUnits, "units", "Access units of video of which parts are missing.",
            .fault),
        .counter("framesDecoded", \.framesDecoded, "pictures", "Pictures that the decoder gave.", .page),
        .counter(
            "damagedFrames", \.damagedFrames, "pictures", "Pictures in which the decoder met errors.",
            [.fault, .page]),
        .counter(
            "picturesHeld", \.picturesHeld, "pictures",
            "Pictures that were not shown because they show damage, their own or another's.", [.fault, .page]),
        .counter(
            "picturesPassed", \.picturesPassed, "pictures",
            "Pictures decoded only because a wanted later one refers to them."),
        .counter(
            "picturesTooLate", \.picturesTooLate, "pictures",
            "Pictures that came out of a busy decoder too late to be shown.", .fault),
        .counter(
            "decodeErrors", \.decodeErrors, "units", "Access units that the decoder refused.", [.fault, .page]),
        .counter("decoderStarts", \.decoderStarts, "starts", "Decoders that were opened."),
        .state("decoderTier", \.decoderTier, ["nothing", "the processor", "a device"], "What decodes.", .page),
        .counter(
            "decoderRestarts", \.decoderRestarts, "restarts",
            "Decoders that were given up because they hung or gave nothing but errors.", [.fault, .page]),
        .counter(
            "decodersHung", \.decodersHung, "decoders",
            "Decoders that did not return from a call, and were left with their threads.", .fault),
        .counter("unitsSkipped", \.unitsSkipped, "units", "Access units in front of the first random-access point."),
        .counter(
            "unitsWithoutParameterSets", \.unitsWithoutParameterSets, "units",
            "Of the units that were skipped, those before which no parameter sets had come."),
        .counter(
            "unitsLeftOut", \.unitsLeftOut, "units",
            "Access units that were not decoded because the decoder was too far behind."),
        .state(
            "ladderStep", \.ladderStep,
            ["nothing", "nothing, a thread more", "loop filter", "unused pictures", "all but key pictures"],
            "What decoding leaves out to keep up.", .page),
        .counter("ladderChanges", \.ladderChanges, "changes", "Changes of what decoding leaves out."),
        .gauge(
            "decodeLoad", \.decodeLoad, .partsPerThousand,
            "Decoding time of recent pictures as a part of the time that they are shown.", .page),
        .counter("audioUnits", \.audioUnits, "units", "Access units of sound that were read."),
        .counter("audioOctets", \.audioOctets, .octets, "Octets of sound that were read."),
        .counter(
            "audioUnitsDropped", \.audioUnitsDropped, "units", "Access units of sound for which the mixer had no room.",
            [.fault, .page]),
        .counter(
            "timestampJumps", \.timestampJumps, "jumps", "Decoding times that do not follow from those before.",
            [.fault, .page]),
        .counter(
            "unitsWithoutTime", \.unitsWithoutTime, "units",
            "Access units without a time stamp, which live pictures need.", .fault),
        .counter(
            "disorderedTimes", \.disorderedTimes, "units",
            "Access units whose presentation lies before their decoding.", .fault),
        .counter(
            "malformedUnits", \.malformedUnits, "units", "PES packets and access units of sound that cannot be read.",
            .fault),
        .counter(
            "refusedStreams", \.refusedStreams, "streams",
            "Streams of the program map that cannot be: on a PID of tables, or there twice.", .fault),
        .counter("scrambledPackets", \.scrambledPackets, "packets", "Packets that are scrambled.", [.fault, .page]),
        .counter("programChanges", \.programChanges, "changes", "Changes of the program map."),
        .counter(
            "unsupportedStreams", \.unsupportedStreams, "streams", "Streams of a codec that this box does not play.",
            .fault),
        .counter(
            "historyOverruns", \.historyOverruns, "overruns",
            "Times that the history gave way under a session that was too late.", [.fault, .page]),
        .counter("readErrors", \.readErrors, "errors", "Errors in reading a file.", .fault),
        .counter("seeks", \.seeks, "seeks", "Seeks that were carried out."),
    ]
}
