// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The start codes of coded video (ISO/IEC 13818-2 5.2, 14496-10 annex B).
public enum StartCode {
    /// Offset of the first 00 00 01 at or after `start`; the end of the bytes if there is none.
    public static func offset(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return bytes.count }
        var index = start
        while index + 2 < bytes.count {
            if bytes[index] != 0 {
                // A zero is one octet of 256 in coded video.
                guard let zero = memchr(base + index, 0, bytes.count - 2 - index) else { return bytes.count }
                index = UnsafeRawPointer(zero) - base
            }
            switch (bytes[index + 1], bytes[index + 2]) {
            case (0, 1): return index
            case (0, 0): index += 1
            case (0, _): index += 3
            default: index += 2
            }
        }
        return bytes.count
    }
}
