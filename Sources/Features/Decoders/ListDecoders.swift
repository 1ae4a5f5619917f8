// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct ListDecoders: DeferredCommand {
    static let about = About(
        "decoders", "List what decodes video on this box",
        help: """
            The devices are asked anew. What the file of the board says (board/*/decoders.json, sealed into the image) \
            narrows what their drivers say; no setting does. A session that no device has room for is decoded by \
            software.
            """,
        example: "")
    static let shape = Shape<Self>()

    func run(on decoders: Decoders, _ reply: Reply<DecoderList>) {
        decoders.list { reply(.success(DecoderList(decoders: $0))) }
    }
}

struct DecoderList: Answer {
    let decoders: [DecoderRow]

    static let shape = Shape<Self>([
        .value("decoders", \.decoders, .list(of: .row), "by codec, the devices of each first")
    ])
}
