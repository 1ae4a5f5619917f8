// SPDX-License-Identifier: Apache-2.0
import Time

/// Takes down everything that the receiver of a channel is given, in the order in which it is given it, so that a replay
/// counts the same (rule 11 of the design).
///
/// - Thread: the receive thread. It neither allocates nor waits.
public protocol InputTap: AnyObject, Sendable {
    /// - Parameters:
    ///   - bytes: what a record of this kind has as its payload; valid during the call.
    ///   - part: number of the flow within the channel.
    func take(_ kind: InputLog.Kind, _ bytes: UnsafeRawBufferPointer, part: Int, at time: Monotonic)
}
