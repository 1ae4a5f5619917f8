// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

extension ScreenMachine {
    /// Whether a flip could show a new picture now.
    var isShown: Bool {
        switch state {
        case .shown, .flipRefused: true
        default: false
        }
    }

    /// The pinned mode if another one is shown because the display lacks it or the card refuses it; otherwise nil.
    var passedOver: ModePin? {
        guard let pin = candidates.request.pin, let timing, !timing.mode.isMeant(by: pin) else { return nil }
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

    /// The mode that is shown or about to be shown; nil if there is none.
    var expected: KMSTiming? {
        switch state {
        case .testing(let candidate), .setting(let candidate, _), .awaiting(let candidate, _),
            .busy(let candidate, _, _):
            candidates[candidate]
        default: timing
        }
    }

    /// Whether a modeset or flip is under way that nobody waits for.
    var isAwaiting: Bool {
        switch state {
        case .awaiting, .flipPending: true
        default: false
        }
    }

    /// The latest instant at which the input `due` must come; nil if there is none.
    var deadline: Monotonic? {
        switch state {
        case .dark: nextPoll
        case .stuck(let again): min(again, nextPoll)
        case .flipRefused(_, let again), .busy(_, let again, _): again
        case .awaiting(_, let until), .flipPending(_, let until): until
        case .shown: min(upgrade.next ?? nextPoll, nextPoll)
        case .testing, .setting, .flipping: nil
        }
    }
}
