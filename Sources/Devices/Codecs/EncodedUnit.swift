// SPDX-License-Identifier: Apache-2.0

/// The output of an encoder, borrowed for a call. Times are 90 kHz ticks from the first picture or sample; `dts` may
/// begin below 0.
public struct EncodedUnit {
    public let bytes: UnsafeRawBufferPointer
    public let pts: Int64
    public let dts: Int64
    /// Whether decoding can begin with this unit.
    public let isKey: Bool
}
