// SPDX-License-Identifier: Apache-2.0
import Statistics
import Venue

extension ReceptionCounters {
    /// Declared in the order in which they are shown.
    public static let statistics: [Statistic<Self>] = [
        .counter(
            "datagrams", \.datagrams, "datagrams",
            "Datagrams that came to the ports of the channel, those of repair among them.", .page),
        .counter("octets", \.octets, .octets, "Octets of these datagrams."),
        .counter(
            "truncatedDatagrams", \.truncatedDatagrams, "datagrams",
            "Datagrams longer than a slot of the receive batch; they are dropped.", .fault),
        .counter(
            "malformedDatagrams", \.malformedDatagrams, "datagrams",
            "Datagrams without an RTP header, or without a transport stream behind it.", [.fault, .page]),
        .counter(
            "cutDatagrams", \.cutDatagrams, "datagrams",
            "Datagrams of which an end cuts a packet, as by ffmpeg without pkt_size; the packets are joined.", .page),
        .counter(
            "wrongPayloadType", \.wrongPayloadType, "datagrams",
            "Datagrams of an RTP payload type that was not announced.", [.fault, .page]),
        .gauge("payloadType", \.payloadType, .none, "RTP payload type of the accepted packets; -1 without RTP."),
        .counter(
            "foreignSSRC", \.foreignSSRC, "datagrams",
            "Datagrams of a second sender on the group, by its SSRC or its address, while the first still sends.",
            [.fault, .page]),
        .counter(
            "ssrcChanges", \.ssrcChanges, "changes", "Times that the sender stayed away and another took over.", .page),
        .counter(
            "lostPackets", \.lostPackets, "packets", "Packets that neither came nor were repaired.",
            [.fault, .page]),
        .counter(
            "lostToKernel", \.lostToKernel, "packets",
            "Lost packets that our own kernel dropped, as far as can be told a batch later.", .fault),
        .counter("lostToNetwork", \.lostToNetwork, "packets", "Lost packets that did not reach the box.", .fault),
        // Decided 256 packets later where a flow is protected; the same as lostPackets where it is not.
        .counter(
            "lostBeforeRepair", \.lostBeforeRepair, "packets",
            "Packets that did not come by themselves by the first path.", .page),
        .counter(
            "recoveredPackets", \.recoveredPackets, "packets", "Packets that windows or parity made again in time.",
            .page),
        // Of one path: lostBeforeRepair = lostPackets + recoveredPackets - needlessRecoveries.
        .counter(
            "needlessRecoveries", \.needlessRecoveries, "packets", "Recovered packets that came themselves afterwards."),
        .counter("lostByFirstPath", \.lostByFirstPath, "packets", "Packets that the first of two paths lost.", .page),
        .counter(
            "lostBySecondPath", \.lostBySecondPath, "packets", "Packets that the second of two paths lost.", .page),
        .counter("repairDatagrams", \.repairDatagrams, "datagrams", "Datagrams of repair.", .page),
        .state(
            "repairOrigin", \.repairOrigin, ["none", "announced or set", "found"],
            "Whence the box knows how the channel is repaired.", .page),
        .counter(
            "foreignRepair", \.foreignRepair, "datagrams",
            "Datagrams where parity was looked for that are none of the channel's."),
        // Of protection windows (SVM-113, 121…126), each once when it is done with.
        .counter("protectionWindows", \.protectionWindows, "windows", "Protection windows that are done with.", .page)
            .known(as: SessionStatistic.windows.rawValue),
        .counter(
            "windowsWithoutLoss", \.windowsWithoutLoss, "windows", "Protection windows of which no packet was lost."
        )
        .known(as: SessionStatistic.windowsWithoutLoss.rawValue),
        .counter(
            "windowsRepaired", \.windowsRepaired, "windows",
            "Protection windows whose lost packets were all recovered."
        )
        .known(as: SessionStatistic.windowsRecovered.rawValue),
        .counter(
            "windowsFailed", \.windowsFailed, "windows",
            "Protection windows whose lost packets could not be recovered.", [.fault, .page]
        )
        .known(as: SessionStatistic.windowsFailed.rawValue),
        .counter(
            "windowsRefused", \.windowsRefused, "windows", "Protection windows of more packets than are supported.",
            .fault
        )
        .known(as: SessionStatistic.windowErrors.rawValue),
        .counter(
            "windowsOversized", \.windowsOversized, "windows", "Protection windows of more packets than is advised."
        )
        .known(as: SessionStatistic.windowWarnings.rawValue),
        .counter("malformedRepair", \.malformedRepair, "datagrams", "Datagrams of repair that cannot be read.", .fault),
        .counter("parityColumns", \.parityColumns, "packets", "Column packets of ST 2022-1 parity."),
        .counter("parityRows", \.parityRows, "packets", "Row packets of ST 2022-1 parity."),
        .counter("duplicatePackets", \.duplicatePackets, "packets", "Packets that came once more.", [.fault, .page]),
        .counter(
            "reorderedPackets", \.reorderedPackets, "packets", "Packets that came out of order and were put back.",
            [.fault, .page]),
        .counter(
            "latePackets", \.latePackets, "packets",
            "Packets that came after their place had been given up; lost ones, too.", [.fault, .page]),
        .counter("sequenceRestarts", \.sequenceRestarts, "restarts", "Times that sequence numbers began anew.", .page),
        .counter("rejoins", \.rejoins, "rejoins", "Times that groups were left and joined again because nothing came."),
        .counter(
            "linkFlaps", \.linkFlaps, "flaps", "Times that the link was lost, or went and came back unseen.", .fault),
        .counter(
            "sourceChanges", \.sourceChanges, "changes",
            "Times that another of the channel's sources was heard than before."),
        .counter(
            "kernelDrops", \.kernelDrops, "datagrams",
            "Datagrams that the kernel dropped because the box was too slow.", [.fault, .page]),
        .counter(
            "unsupportedPackets", \.unsupportedPackets, "packets",
            "Packets of an elementary stream in a form that is not read: interleaved.", .fault),
        .counter(
            "damagedUnits", \.damagedUnits, "units",
            "Access units of elementary streams that were kept though parts are missing.", .fault),
        .counter(
            "droppedUnits", \.droppedUnits, "units",
            "Access units of elementary streams that were dropped because parts are missing.", .fault),
        .counter(
            "senderReports", \.senderReports, "reports", "RTCP sender reports, which put sound and pictures in step."),
        .counter(
            "doubtfulSenderReports", \.doubtfulSenderReports, "reports",
            "RTCP sender reports that contradict the arrivals and are not used.", .fault),
        .counter("tsPackets", \.tsPackets, "packets", "Packets of the transport stream.", .page),
        .counter(
            "tsDiscontinuities", \.tsDiscontinuities, "errors",
            "Continuity errors that the transport stream did not announce.", [.fault, .page]
        )
        .known(as: SessionStatistic.tsDiscontinuities.rawValue),
        .counter(
            "tsMissing", \.tsMissing, "packets",
            "Packets that are missing at these errors, at least: a counter of four bits shows no more than 15.", .fault),
        .counter(
            "tsDuplicates", \.tsDuplicates, "packets", "Packets that the transport stream has twice, as it may.", .page),
        .counter(
            "tsSignalledDiscontinuities", \.tsSignalledDiscontinuities, "discontinuities",
            "Discontinuities that the transport stream announced.", .page),
        .counter(
            "tsTransportErrors", \.tsTransportErrors, "packets",
            "Packets that a link before the box marked as damaged.", [.fault, .page]),
        .counter(
            "tsSkippedOctets", \.tsSkippedOctets, .octets, "Octets between packets that are no packet.",
            [.fault, .page]),
        .counter(
            "randomAccessPoints", \.randomAccessPoints, "points", "Random-access points, where decoding can begin.",
            .page),
        .state(
            "clockSource", \.clockSource, ["nothing yet", "time stamps", "PCR"],
            "What the clock of the stream follows.", .page),
        .state(
            "clockLocked", \.clockLocked, ["no", "yes"], "Whether the clock is within 2 ms of what the stream says.",
            .page),
        .gauge(
            "clockDriftPPB", \.clockDriftPPB, .partsPerBillion,
            "By how much the sender's clock is faster than that of the box.", .page),
        .gauge(
            "clockJitterUs", \.clockJitterUs, .microseconds,
            "By how much stamps of the last second came late, on average.", .page),
        .gauge(
            "clockPeakJitterUs", \.clockPeakJitterUs, .microseconds,
            "By how much a stamp of the last second came late at most.", .page),
        .gauge(
            "clockSlackUs", \.clockSlackUs, .microseconds,
            "How long before their decoding time units are complete: the sender's own delay.", .page),
        .counter(
            "clockJumps", \.clockJumps, "jumps", "Times that the stream went over to another time line.",
            [.fault, .page]),
        .counter(
            "clockStalls", \.clockStalls, "stalls",
            "Times that nothing came for 700 ms and the stamps then went on where they had been.", [.fault, .page]),
        .counter(
            "clockHolds", \.clockHolds, "holds",
            "Times that pictures or sound came later than all before, and all was put off by as much.",
            [.fault, .page]),
        .counter("pcrCount", \.pcrCount, "references", "Program clock references that were read.", .page),
        .counter(
            "pcrDoubtful", \.pcrDoubtful, "references",
            "Program clock references that fit neither the clock nor each other; unused.", [.fault, .page]),
    ]
}
