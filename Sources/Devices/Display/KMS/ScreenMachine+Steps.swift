// SPDX-License-Identifier: Apache-2.0
import Time

extension ScreenMachine {
    enum Input: Sendable {
        /// The card's connectors were read.
        case connectorsRead([KMSConnector], planes: [KMSPlane], isHotplug: Bool)
        /// The rate of the content has changed.
        case contentChanged(FrameRate?)
        /// A new picture must be shown.
        case pictureMade
        /// The deadline may have passed.
        case due
        // The outcome of the previous action. A modeset has `begun`, and is `accepted` when it is visible; so is a flip
        // that nobody waits for.
        case accepted, begun, busy, refused, flipLost, cardLost
        /// The flip was refused because of its video; another follows without the video.
        case videoRefused
        /// A modeset that was given up is done after all, and nothing else has been begun since.
        case cameLate
    }

    enum Action: Hashable, Sendable {
        /// Wait for the next input, at most until `deadline`.
        case rest
        /// Request a reading of the connectors, then wait.
        case poll(probes: Bool)
        /// Switch the screen off, then wait.
        case release
        /// Test whether the card would accept this pipeline.
        case test(DisplayPipeline)
        /// Begin a modeset that shows the newest picture.
        case drive(DisplayPipeline)
        /// Show the newest picture in the current mode.
        case flip
    }

    /// Candidates are given by their index.
    enum State: Hashable, Sendable {
        /// There is no display.
        case dark
        case testing(Int)
        case setting(Int, busyUntil: Monotonic?)
        /// The modeset of the candidate has begun.
        case awaiting(Int, until: Monotonic)
        /// The card is busy with another commit.
        case busy(Int, again: Monotonic, until: Monotonic)
        case shown(Int)
        case flipping(Int, isSecondTime: Bool)
        /// A flip that nobody waits for is under way.
        case flipPending(Int, until: Monotonic)
        case flipRefused(Int, again: Monotonic)
        /// The card has refused every candidate.
        case stuck(again: Monotonic)
    }
}

extension ScreenMachine.Input {
    var isRefused: Bool { if case .refused = self { true } else { false } }
}
