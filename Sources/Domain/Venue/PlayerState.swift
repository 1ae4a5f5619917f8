// SPDX-License-Identifier: Apache-2.0

/// The states of `video.channelState` (SVM-81…86), in the order in which a session passes through them.
public enum PlayerState: String, Sendable, CaseIterable {
    case open, play, rewind, live, stop, close
}
