// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// A decoder of a device as the ladder works with it: units go in while it has room, pictures come when it is done.
///
/// What it throws ends it; pictures that are out stay good.
/// - Thread: one, which owns it. Pictures may end on any thread, also after the decoder.
public protocol DeviceDecoder: AnyObject {
    /// What it is at, for who reports it.
    var phase: DecoderPhase { get }
    /// All that went in before `drain` has come out.
    var isDrained: Bool { get }
    /// It is at something, or was `span` ago: pictures may come without another unit.
    func isOwing(_ span: Nanoseconds) -> Bool

    /// - Parameter bytes: copied.
    /// - Returns: false: there is no room now; `advance` or `take`, and try again.
    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool
    /// No unit follows.
    func drain() throws(DecoderFault)
    /// Forgets the past; the next unit should be a random-access point.
    func flush() throws(DecoderFault)
    /// The next picture in presentation order; nil when there is none now.
    func take() throws(DecoderFault) -> VideoFrame?
    /// Waits until it has done something, but no longer than `span`.
    func advance(atMost span: Nanoseconds) throws(DecoderFault)
    func close()
}

extension HardwareDecoder: DeviceDecoder {}
