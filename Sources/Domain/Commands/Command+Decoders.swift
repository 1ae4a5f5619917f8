// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// What decodes.
    static let decoders: [Command] = [
        Command(
            "decoders", "List what decodes video on this box",
            help: """
                The devices are asked anew. What the file of the board says (board/*/decoders.json, sealed into the image) \
                narrows what their drivers say; no setting does. A session that no device has room for is decoded by \
                software.
                """,
            answer: .table(
                member: "decoders",
                [
                    AnswerField("codec", "what the stream is coded with"),
                    AnswerField("decoder", "the device, or software"),
                    AnswerField("driver", isDetail: true, "of the device, or libavcodec"),
                    AnswerField("width", "of the largest picture; null: not known"),
                    AnswerField("height", "likewise"),
                    AnswerField(
                        "picturesPerSecond", shownAs: .plain(title: "rate"), "most of one session; null: not known"),
                    AnswerField(
                        "instances", shownAs: .plain(title: "of"), "sessions that it has room for; null: not known"),
                    AnswerField("inUse", shownAs: .plain(title: "used"), "sessions that it decodes for"),
                    AnswerField("use", "yes; else \"not used\" and why"),
                    AnswerField("card", isDetail: true, "of the device, as its driver calls it"),
                    AnswerField("bus", isDetail: true, "where the device is"),
                    AnswerField(
                        "kind", isDetail: true,
                        "stateful: takes a stream as it is; stateless: its pictures; library: by libavcodec"),
                    AnswerField("interface", isDetail: true, "of V4L2: singlePlanar or multiPlanar"),
                    AnswerField("format", isDetail: true, "of the stream, V4L2's four characters"),
                    AnswerField("smallestWidth", isDetail: true, "of the smallest picture; null: not known"),
                    AnswerField("smallestHeight", isDetail: true, "likewise"),
                    AnswerField("profiles", isDetail: true, "in the driver's words; null: not known"),
                    AnswerField("levels", isDetail: true, "in the driver's words; null: not known"),
                    AnswerField("pictures", isDetail: true, "formats of its pictures, V4L2's four characters"),
                    AnswerField(
                        "pixelsPerSecond", isDetail: true, "of all sessions of the device; null: not known"),
                    AnswerField("board", isDetail: true, "file that narrows it; null: none"),
                ]))
    ]
}
