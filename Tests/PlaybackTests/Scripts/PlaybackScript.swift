// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import Playback

/// What happens to a session, made of a seed: pauses, rewinds, hidden pictures, a television that makes the box wait, loss,
/// overload, an encoder that begins anew. Spans are around the length of the history.
struct PlaybackScript {
    enum Step: CustomStringConvertible {
        case wait(Nanoseconds)
        case pause(Nanoseconds)
        case hide(Nanoseconds)
        case rewind(Nanoseconds)
        case live
        case putOff(Nanoseconds)
        case steer(Int, Nanoseconds)
        /// The television that is followed pauses, and is found so far from the box afterwards.
        case televisionPauses(Nanoseconds, apart: Nanoseconds)
        case restart
        case silence(Nanoseconds)
        case loss(Nanoseconds)
        case overload(Nanoseconds)

        var description: String {
            switch self {
            case .wait(let span): "wait \(span.milliseconds)"
            case .pause(let span): "pause \(span.milliseconds)"
            case .hide(let span): "hide \(span.milliseconds)"
            case .rewind(let span): "rewind \(span.milliseconds)"
            case .live: "live"
            case .putOff(let span): "put off \(span.milliseconds)"
            case .steer(let rate, let span): "steer \(rate) for \(span.milliseconds)"
            case .televisionPauses(let span, let apart):
                "television pauses \(span.milliseconds), apart \(apart.milliseconds)"
            case .restart: "restart"
            case .silence(let span): "silence \(span.milliseconds)"
            case .loss(let span): "loss \(span.milliseconds)"
            case .overload(let span): "overload \(span.milliseconds)"
            }
        }
    }

    let history: Nanoseconds
    let steps: [Step]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let history = Nanoseconds.milliseconds(.random(in: 1_000...8_000, using: &random))
        self.history = history
        func span() -> Nanoseconds {
            let around: [Nanoseconds] = [
                history - .milliseconds(900), history - .milliseconds(100), history, history + .milliseconds(100),
                history + .milliseconds(900), history * 2, history * 3, .milliseconds(300),
            ]
            return max(.milliseconds(100), around.randomElement(using: &random) ?? history)
        }
        steps = (0..<Int.random(in: 3...10, using: &random)).map { _ in
            switch Int.random(in: 0..<15, using: &random) {
            case 0...2: return .pause(span())
            case 3...4: return .hide(span())
            case 5...6: return .rewind(span())
            case 7: return .live
            case 8: return .putOff(.milliseconds(.random(in: 100...10_000, using: &random)))
            case 9: return .steer(.random(in: -5_000_000...5_000_000, using: &random), span())
            case 10: return .restart
            case 11: return .silence(span())
            case 12: return .loss(span())
            case 13:
                return .televisionPauses(span(), apart: .milliseconds(.random(in: -2_000...2_000, using: &random)))
            default: return Bool.random(using: &random) ? .overload(span()) : .wait(span())
            }
        }
    }
}
