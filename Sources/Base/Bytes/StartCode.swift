// SPDX-License-Identifier: Apache-2.0

/// The start codes of coded video (ISO/IEC 13818-2 5.2, 14496-10 annex B).
public enum StartCode {
    /// Offset of the first 00 00 01 at or after `start`; the end of the bytes if there is none.
    public static func offset(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start + 2
        while index < bytes.count {
            switch bytes[index] {
            case 0: index += 1
            case 1 where bytes[index - 1] == 0 && bytes[index - 2] == 0: return index - 2
            default: index += 3
            }
        }
        return bytes.count
    }
}
