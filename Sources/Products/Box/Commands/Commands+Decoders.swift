// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// What decodes.
    static let decoders: [CommandDescription] = [
        CommandDescription(
            "decoders", "List what decodes video on this box",
            help: """
                The devices are asked anew. What the file of the board says (board/*/decoders.json, sealed into the image) \
                narrows what their drivers say; no setting does. A session that no device has room for is decoded by \
                software.
                """,
            answer: .table(
                member: "decoders",
                [
                    .answer("codec", "what the stream is coded with"),
                    .answer("decoder", "the device, or software"),
                    .answer("driver", isDetail: true, "of the device, or libavcodec"),
                    .answer("width", "of the largest picture; null: not known"),
                    .answer("height", "likewise"),
                    .answer(
                        "picturesPerSecond", title: "rate", "most of one session; null: not known"),
                    .answer(
                        "instances", title: "of", "sessions that it has room for; null: not known"),
                    .answer("inUse", title: "used", "sessions that it decodes for"),
                    .answer("use", "yes; else \"not used\" and why"),
                    .answer("card", isDetail: true, "of the device, as its driver calls it"),
                    .answer("bus", isDetail: true, "where the device is"),
                    .answer(
                        "kind", isDetail: true,
                        "stateful: takes a stream as it is; stateless: its pictures; library: by libavcodec"),
                    .answer("interface", isDetail: true, "of V4L2: singlePlanar or multiPlanar"),
                    .answer("format", isDetail: true, "of the stream, V4L2's four characters"),
                    .answer("smallestWidth", isDetail: true, "of the smallest picture; null: not known"),
                    .answer("smallestHeight", isDetail: true, "likewise"),
                    .answer("profiles", isDetail: true, "in the driver's words; null: not known"),
                    .answer("levels", isDetail: true, "in the driver's words; null: not known"),
                    .answer("pictures", isDetail: true, "formats of its pictures, V4L2's four characters"),
                    .answer(
                        "pixelsPerSecond", isDetail: true, "of all sessions of the device; null: not known"),
                    .answer("board", isDetail: true, "file that narrows it; null: none"),
                ]))
    ]
}
