// SPDX-License-Identifier: Apache-2.0

/// A coded unit on its way into a transport stream. Its times are 90 kHz ticks of its source.
struct CastUnit: Equatable {
    enum Kind { case video, audio }

    var kind: Kind
    /// Annex B for video, ADTS for audio.
    var bytes: [UInt8]
    var pts: Int64
    var dts: Int64
    var isKey: Bool
}
