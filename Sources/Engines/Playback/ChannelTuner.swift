// SPDX-License-Identifier: Apache-2.0
import Venue

/// Tunes what people name. A part of the box that changes regions has channels tuned there by it.
/// - Thread: the control loop's only.
public protocol ChannelTuner: AnyObject {
    /// - Parameter text: name, id or number of a channel or a playlist.
    /// - Throws: if the line-up has no such entry, or the entry has no pictures.
    func checkTunable(_ text: String) throws(Status)
    func tune(_ text: String, in region: RegionPlayer) throws(Status)
    /// Tunes each region to the channel that it awaits, if the line-up has it.
    func tuneAwaited()
}
