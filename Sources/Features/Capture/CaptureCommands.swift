// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import PacketCaptures
import Settings
import Shapes
import Venue

struct ShowCapture: Command {
    static let about = About(
        "capture", "Show how the capture of frames fares",
        help: "The file of the last one is kept in memory until the next begins or the service restarts.", example: "")
    static let shape = Shape<Self>()

    func run(on capture: Capture) throws(Status) -> CaptureStatus { capture.status }
}

struct StartCapture: DeferredCommand {
    var interface = ""
    var address: NumericAddress?
    var port: UInt16?
    var kind: CaptureFilter.Kind?
    var seconds = 60
    /// The headers of all that the box hears, and announcements whose text is short.
    var snap = 262
    var megabytes = 4

    static let about = About(
        "capture-start", "Keep frames of an interface for Wireshark",
        help: """
            What the box hears and sends there, in a ring in memory of which the oldest frames give way. It ends by itself. \
            INTERFACE is network.interface if it is left out, or else the first one that is up. Options that are given \
            together must all be met. The interface is not made promiscuous: groups that the box has not joined are seen only \
            if the network floods them. Frames with a VLAN tag are left out; name the VLAN's own interface to see them. \
            capture-get of the client, or GET /v1/capture/file.pcap, gives the file, after capture-stop or its end. It \
            may hold what others say: only administrators start and read it.
            """, role: .administrator)
    static let shape = Shape<Self>([
        .optionalArgument(
            "interface", \.interface, .formatted(.interface), "Where. \"\": network.interface, or the first that is up."
        ),
        .option(
            "address", \.address,
            .absentOr(.formatted(.address, parse: { NumericAddress($0) }, text: { $0.description })),
            "Source or destination: a group, or a host."),
        .option("port", \.port, .absentOr(.integer(1...65_535)), "Source or destination port of UDP."),
        .option(
            "kind", \.kind, .absentOr(.choice),
            "igmp: IGMP and MLD alone; arp: ARP and the neighbour discovery of IPv6 alone."),
        .option("seconds", \.seconds, .integer(1...3_600), "How long."),
        .option(
            "snap", \.snap, .integer(CaptureRequest.snaps),
            "Octets of each frame that are kept: 65535 keeps pictures and sound too."),
        .option("megabytes", \.megabytes, .integer(1...32), "Memory of the ring, in MiB."),
    ])

    func run(on capture: Capture, _ reply: Reply<CaptureStatus>) { capture.begin(self, reply) }
}

struct StopCapture: DeferredCommand {
    static let about = About(
        "capture-stop", "End the capture of frames",
        help: "Answers when the file can be read. Where none runs it changes nothing.", role: .administrator,
        example: "")
    static let shape = Shape<Self>()

    func run(on capture: Capture, _ reply: Reply<CaptureStatus>) { capture.end(reply) }
}

struct ReadCapture: Command {
    var offset = 0

    static let about = About(
        "capture-read", "Read a piece of the file of captured frames",
        help: """
            Pieces of at most 48 KiB, one after the other: the next one begins at next. The file is a pcap of nanoseconds, as \
            Wireshark reads it.
            """, role: .administrator)
    static let shape = Shape<Self>([
        .optionalArgument("offset", \.offset, .integer(0...67_108_864), "Octets that are there already.")
    ])

    func run(on capture: Capture) throws(Status) -> FilePiece {
        let (id, file) = try capture.file()
        return try FilePiece(of: file, id, from: offset)
    }
}
