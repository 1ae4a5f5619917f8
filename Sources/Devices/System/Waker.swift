// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Wakes a thread that waits for descriptors, such as that of an event loop, from any other.
public final class Waker: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    public func wake() {
        var one: UInt64 = 1
        // It fails only if the counter is full, and then the loop wakes up anyway.
        _ = write(descriptor.rawValue, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor.rawValue, &count, 8)
    }
}
