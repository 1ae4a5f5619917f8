// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file system of a few octets, in memory, for tests of a disk that is full. It takes the right to mount. It does not take
/// the program `mount`, which a small Debian has not.
public enum SmallDisk {
    /// - Returns: whether the file system is there.
    public static func mount(at path: String, kibibytes: Int) -> Bool {
        typealias Text = UnsafePointer<CChar>
        typealias Mount = @convention(c) (Text, Text, Text, UInt, Text) -> Int32
        guard let address = dlsym(dlopen(nil, RTLD_NOW), "mount") else { return false }
        return unsafeBitCast(address, to: Mount.self)("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k") == 0
    }

    /// Takes it away, whoever still has files of it; does nothing if there is none.
    public static func unmount(at path: String) {
        typealias Unmount = @convention(c) (UnsafePointer<CChar>, Int32) -> Int32
        guard let address = dlsym(dlopen(nil, RTLD_NOW), "umount2") else { return }
        _ = unsafeBitCast(address, to: Unmount.self)(path, 2)  // MNT_DETACH
    }
}
