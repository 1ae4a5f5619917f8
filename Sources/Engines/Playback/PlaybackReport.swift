// SPDX-License-Identifier: Apache-2.0
import Media

/// What a session tells the control plane.
public enum PlaybackReport: Sendable {
    /// The program carries sound: the mixer may take its queue.
    case audioAvailable(AudioQueue)
    case streamUnsupported(session: Int, what: String)
}
