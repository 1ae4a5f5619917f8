// SPDX-License-Identifier: Apache-2.0
import Commands
import Mixing
import Shapes
import Venue

struct PlayTone: Command {
    var state = Switch.on
    var frequency = 1_000
    var level = -20
    var channel = TestTone.Channel.all
    var seconds: Int64 = 10

    static let about = About(
        "tone", "Play a test tone",
        help: """
            A sine is added to what plays and goes the way of all sound: through volume and muting of the mix to the \
            output. Its level is the peak of the sine relative to full scale, before the volume: -20 is the alignment \
            level of SMPTE RP 155 (that of EBU R 68 is -18), and volume 100 leaves it as it is. The answer says if the \
            sound is muted, if the volume is 0, or if no output is open.
            """, role: .operator, example: "on --channel left")
    static let shape = Shape<Self>([
        .optionalArgument("state", \.state, .choice, "Absent: on."),
        .option("frequency", \.frequency, .integer(TestTone.frequencies), "Hertz; absent: 1000."),
        .option("level", \.level, .integer(TestTone.levels), "dBFS; absent: -20."),
        .option("channel", \.channel, .choice, "each: the left, then the right one, a second each; absent: all."),
        .option("seconds", \.seconds, .integer(1...600), "How long; absent: 10."),
    ])

    func run(on signals: TestSignals) throws(Status) -> ToneState {
        switch state {
        case .on:
            signals.play(TestTone(frequency: frequency, level: level, channel: channel, seconds: seconds))
        case .off: signals.endTone()
        }
    }
}

struct ToneState: Answer {
    let state: Switch
    var frequency: Int?
    var level: Int?
    var channel: TestTone.Channel?
    var seconds: Int64?
    var volume: Int?
    var isMuted: Bool?
    var device: String?
    var problem: String?

    static let shape = Shape<Self>([
        .value("state", \.state, .choice, "whether a tone is played"),
        .unlessNil("frequency", \.frequency, .integer(TestTone.frequencies), "hertz"),
        .unlessNil("level", \.level, .integer(TestTone.levels), "peak in dBFS, before the volume"),
        .unlessNil("channel", \.channel, .choice, "which is heard"),
        .unlessNil("seconds", \.seconds, .integer(0...600), "until it ends"),
        .unlessNil("volume", \.volume, .integer(0...100), "of the mix, 0...100"),
        .unlessNil("isMuted", \.isMuted, .boolean, "whether the mix is silent"),
        .unlessNil("device", \.device, .text, "where the sound goes; absent: nowhere"),
        .unlessNil("problem", \.problem, .text, "why nobody hears it"),
    ])
}
