// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct ShowTestCard: Command {
    var state = Switch.on
    var seconds: Int64 = 600

    static let about = About(
        "test-card", "Show a test card over everything on the screen",
        help: """
            The box draws it itself, whatever plays. The outermost pixels of the picture are a white line, to which four \
            arrowheads point: if it is not seen, the screen cuts the picture's edges off (overscan), and the frames at \
            2.5 % and 5 % say how much. Colour bars of 75 % (white, yellow, cyan, green, magenta, red, blue, black), \
            grey in steps of 10 % with patches of 2 % and 98 % in black and white, a circle that is round if the aspect \
            ratio is right, lines of one pixel that are even if nothing scales, the name and id of the box, connector, \
            mode and measured rate. A block moves once a second, and the time until the card goes away is beside it. \
            What plays goes on below; only an emergency message is shown over it.
            """, role: .operator, example: "on --seconds 60")
    static let shape = Shape<Self>([
        .optionalArgument("state", \.state, .choice, "Absent: on."),
        .option("seconds", \.seconds, .integer(1...86_400), "How long it stays; absent: 600."),
    ])

    func run(on signals: TestSignals) throws(Status) -> TestCardState {
        switch state {
        case .on: try signals.showCard(for: .seconds(seconds))
        case .off: try signals.removeCard()
        }
    }
}

struct TestCardState: Answer {
    let state: Switch
    var seconds: Int64?
    var size: String?
    var output: String?
    var problem: String?

    static let shape = Shape<Self>([
        .value("state", \.state, .choice, "whether a test card is shown"),
        .unlessNil("seconds", \.seconds, .integer(0...86_400), "until it goes away"),
        .unlessNil("size", \.size, .text, "of the picture, in pixels"),
        .unlessNil("output", \.output, .text, "connector, mode, measured rate and name of the screen"),
        .unlessNil("problem", \.problem, .text, "why nobody sees it"),
    ])
}
