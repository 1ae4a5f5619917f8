// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Pages of this process as memory that devices share (udmabuf).
/// - Thread: one at a time.
public final class SharedPages {
    /// What the kernel did not do, and why not.
    private struct Refusal: Error, CustomStringConvertible {
        let description: String

        init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
    }

    /// Of the memory, for devices.
    public let descriptor: CInt
    public let memory: UnsafeMutableRawBufferPointer

    /// - Parameter octets: rounded up to whole pages.
    public init(octets: Int) throws {
        let octets = (octets + 4_095) & ~4_095
        let pages = try Self.makePages(octets)
        defer { close(pages) }
        let device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { throw Refusal("/dev/udmabuf") }
        defer { close(device) }
        // udmabuf_create: memfd, flags, offset, octets.
        var wish: [UInt64] = [UInt64(UInt32(bitPattern: pages)) | 1 << 32, 0, UInt64(octets)]
        descriptor = ioctl(device, 0x4018_7542, &wish)
        let mapped = mmap(nil, octets, PROT_READ | PROT_WRITE, MAP_SHARED, pages, 0)
        guard descriptor >= 0, let mapped, mapped != MAP_FAILED else { throw Refusal("udmabuf") }
        memory = UnsafeMutableRawBufferPointer(start: mapped, count: octets)
    }

    /// What Swift does not import: memfd_create, fcntl.h's seals.
    private static func makePages(_ octets: Int) throws -> CInt {
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> CInt
        guard let symbol = dlsym(nil, "memfd_create") else { throw Refusal("memfd_create") }
        let create = unsafeBitCast(symbol, to: Create.self)
        let (allowSealing, addSeals, sealShrink) = (UInt32(2), Int32(1_033), Int32(2))
        let pages = create("picture", allowSealing)
        guard ftruncate(pages, off_t(octets)) == 0, fcntl(pages, addSeals, sealShrink) == 0 else {
            throw Refusal("memfd_create")
        }
        return pages
    }

    deinit {
        munmap(memory.baseAddress, memory.count)
        close(descriptor)
    }
}
