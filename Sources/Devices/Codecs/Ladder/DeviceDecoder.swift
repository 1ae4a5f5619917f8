// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// A device's decoder as the ladder uses it: it takes units while it has room, and gives pictures when they are done.
///
/// An error ends it; pictures already handed out stay valid.
/// - Thread: one, which owns it. Pictures may be released on any thread, also after the decoder.
public protocol DeviceDecoder: AnyObject {
    /// The current phase, for reports.
    var phase: DecoderPhase { get }
    /// Whether all that was sent before `drain` has come out.
    var isDrained: Bool { get }
    /// Whether it is working, or was within the last `span`: pictures may come without another unit.
    func isOwing(_ span: Nanoseconds) -> Bool

    /// - Parameter bytes: copied.
    /// - Returns: false if there is no room now; call `advance` or `take`, then try again.
    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool
    /// Tells that no unit follows.
    func drain() throws(DecoderFault)
    /// Drops all state; the next unit should be a random-access point.
    func flush() throws(DecoderFault)
    /// The next picture in presentation order; nil if there is none now.
    func take() throws(DecoderFault) -> VideoFrame?
    /// Waits until the device has done something, at most for `span`.
    func advance(atMost span: Nanoseconds) throws(DecoderFault)
    func close()
}

extension HardwareDecoder: DeviceDecoder {}
