// SPDX-License-Identifier: Apache-2.0
import Media
import System

/// No device: counts what it was given.
public final class NullSound: SoundOutput {
    public private(set) var frames: Int64 = 0

    public init() {}

    public func write(_ block: AudioBlock) throws(SystemCallError) { frames += Int64(block.frames) }

    public func close() throws(SystemCallError) {}
}
