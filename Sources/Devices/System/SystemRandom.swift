// SPDX-License-Identifier: Apache-2.0
import CSystemShims

/// Unpredictable random numbers from the kernel (getrandom).
public enum SystemRandom {
    public static func bytes(_ count: Int) throws(SystemCallError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        _ = try syscall("getrandom") { touchline_random(&bytes, bytes.count) }
        return bytes
    }

    public static func integer<T: FixedWidthInteger>() throws(SystemCallError) -> T {
        try bytes(MemoryLayout<T>.size).reduce(0) { $0 &<< 8 | T(truncatingIfNeeded: $1) }
    }
}
