// SPDX-License-Identifier: Apache-2.0
import Venue

extension Transport {
    /// The parity that may be beside the media although nobody announced it, in the media's group; nil where none is
    /// looked for. A port of the box's own address may be that of another channel, which would get less of its own
    /// datagrams for it.
    var conventionalParity: RepairParity? {
        switch encapsulation {
        case .rtp, .automatic: break
        case .raw, .elementary: return nil
        }
        guard repair == nil, NumericAddress(address)?.isMulticast == true else { return nil }
        return RepairParity(beside: address, port: port, source: source, span: .zero)
    }
}
