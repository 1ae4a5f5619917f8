// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// The file of the running program.
public enum ProgramFile {
    /// When it was written, which is when the program was built; 1970 if the kernel does not say.
    public static let built: WallTime = {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return WallTime(nanoseconds: 0) }
        let time = status.st_mtim
        return WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }()
}
