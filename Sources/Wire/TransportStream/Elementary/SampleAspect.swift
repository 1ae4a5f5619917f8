// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Width to height of one sample (ISO/IEC 14496-10 table E-1).
public struct SampleAspect: Sendable, Equatable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    private static let known: [(Int, Int)] = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
        (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]

    /// - Returns: nil when it is not said.
    init?(from reader: inout RBSPReader) throws(WireError) {
        guard try reader.bit() else { return nil }
        let code = Int(try reader.bits(8))
        if code == 255 {
            width = Int(try reader.bits(16))
            height = Int(try reader.bits(16))
            guard width > 0, height > 0 else { return nil }
        } else {
            guard SampleAspect.known.indices.contains(code - 1) else { return nil }
            (width, height) = SampleAspect.known[code - 1]
        }
    }
}
