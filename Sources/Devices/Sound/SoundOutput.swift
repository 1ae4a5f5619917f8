// SPDX-License-Identifier: Apache-2.0
import Media
import System

/// What mixed sound is played by.
/// - Thread: the sound thread makes it, writes it and closes it.
public protocol SoundOutput: AnyObject {
    /// Plays a block behind those written before.
    func write(_ block: AudioBlock) throws(SystemCallError)

    /// Plays what is left and lets go of the device; nothing may be written afterwards.
    func close() throws(SystemCallError)
}
