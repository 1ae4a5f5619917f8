// SPDX-License-Identifier: Apache-2.0
import Bytes

extension AudioSpecificConfig {
    /// Its framing in a transport stream.
    /// - Throws: `.unsupported` for an object type other than AAC-LC, frames of 960 samples, channels described in a
    ///   program_config_element and a sampling rate without an index.
    func adts() throws(WireError) -> ADTSFrame {
        guard objectType == Self.lowComplexity else {
            throw WireError(.unsupported("audioObjectType", UInt64(objectType)), at: 0)
        }
        guard !isUnusual else { throw WireError(.unsupported("frameLengthFlag", 1), at: 0) }
        guard let adts = framing() else {
            throw WireError(.unsupported("channelConfiguration", UInt64(channelConfiguration)), at: 0)
        }
        return adts
    }
}
