// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

extension ScreenMachine {
    /// Whether a flip would be made of a picture now.
    var isShown: Bool {
        switch state {
        case .shown, .flipRefused: true
        default: false
        }
    }

    /// What is pinned, while the screen shows another mode: it lacks that one, or the card refuses it.
    var passedOver: ModePin? {
        guard let pin = request.pin, let timing, !timing.mode.isMeant(by: pin) else { return nil }
        return pin
    }

    /// Whether the stage is on the screen.
    var isOn: Bool { timing != nil }

    var timing: KMSTiming? {
        switch state {
        case .shown(let candidate), .flipRefused(let candidate, _), .flipping(let candidate, _),
            .flipPending(let candidate, _):
            candidates[candidate]
        case .awaiting(let candidate, _), .busy(let candidate, _, _):
            candidates[candidate] == shownTiming ? shownTiming : nil
        case .dark, .testing, .setting, .stuck: nil
        }
    }

    /// Of the mode that is shown, or is about to be.
    var expected: KMSTiming? {
        switch state {
        case .testing(let candidate), .setting(let candidate, _), .awaiting(let candidate, _),
            .busy(let candidate, _, _):
            candidates[candidate]
        default: timing
        }
    }

    /// A mode is being set, or a flip made: who waits for it looks again soon.
    var isAwaiting: Bool {
        switch state {
        case .awaiting, .flipPending: true
        default: false
        }
    }

    /// When `due` has something to do at the latest.
    var deadline: Monotonic? {
        switch state {
        case .dark: nextPoll
        case .stuck(let again): min(again, nextPoll)
        case .flipRefused(_, let again), .busy(_, let again, _): again
        case .awaiting(_, let until), .flipPending(_, let until): until
        case .shown: min(nextUpgrade ?? nextPoll, nextPoll)
        case .testing, .setting, .flipping: nil
        }
    }
}
