// SPDX-License-Identifier: Apache-2.0
import Time

extension ScreenMachine {
    enum Input: Sendable {
        /// The connectors were read.
        case connectorsRead([KMSConnector], planes: [KMSPlane], isHotplug: Bool)
        /// Pictures a second of what is played.
        case contentChanged(FrameRate?)
        /// Something new is to be shown.
        case pictureMade
        /// Time has passed.
        case due
        // What came of the action before. A mode is begun, and accepted when it is visible; so is
        // a flip, where others pace.
        case accepted, begun, busy, refused, flipLost, cardLost
        /// The flip was, for its video's sake: another follows without it.
        case videoRefused
        /// A mode that was given up is visible after all, and nothing else was begun since.
        case cameLate
    }

    enum Action: Hashable, Sendable {
        /// Nothing until something happens, or `deadline`.
        case rest
        /// Have the connectors read; rest.
        case poll(probes: Bool)
        /// Show nothing any more; rest.
        case release
        /// Whether this would be accepted.
        case test(DisplayPipeline)
        /// Begin to show the newest picture this way.
        case drive(DisplayPipeline)
        /// Show the newest picture in the mode that is set.
        case flip
    }

    /// Rungs by their place.
    enum State: Hashable, Sendable {
        /// No screen.
        case dark
        case testing(Int)
        case setting(Int, busyUntil: Monotonic?)
        /// Its setting is begun.
        case awaiting(Int, until: Monotonic)
        /// The card has yet to end something else.
        case busy(Int, again: Monotonic, until: Monotonic)
        case shown(Int)
        case flipping(Int, isSecondTime: Bool)
        /// A flip is begun that nobody waits for.
        case flipPending(Int, until: Monotonic)
        case flipRefused(Int, again: Monotonic)
        /// The card has refused every rung.
        case stuck(again: Monotonic)
    }
}

extension ScreenMachine.Input {
    var isRefused: Bool { if case .refused = self { true } else { false } }
}
