// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import System

@Suite struct MountTableTests {
    /// As a unit with `ProtectSystem=strict` sees it: all its mounts are read-only, and one file system is.
    private static let text = """
        505 372 254:1 / / ro,nosuid,relatime shared:327 master:1 - ext4 /dev/vda1 rw,errors=remount-ro
        506 505 254:2 / /var/lib/touch\\040line rw,relatime shared:328 master:3 - ext4 /dev/vda2 rw
        507 505 0:44 / /data rw - tmpfs tmpfs rw,size=8k
        508 505 254:3 / /data ro,relatime - squashfs /dev/vda3 ro,errors=continue
        """

    @Test(arguments: [
        ("/", false), ("/var/lib", false), ("/var/lib/touch line", false), ("/data", true), ("/data/a", true),
        ("/database", false),
    ])
    func theFileSystemSaysWhetherItIsReadOnly(path: String, isReadOnly: Bool) {
        #expect(MountTable(Self.text).isReadOnly(path) == isReadOnly)
    }

    @Test func linesOfAnotherFormArePassedOver() {
        let text = "\n- - -\n1 2 3 4 /a b -\n1 2 3 / /a rw - t s ro\n1 2 3 / \\9 rw - t s ro\n"
        #expect(MountTable(text).isReadOnly("/a") == true && MountTable(text).isReadOnly("/b") == nil)
        for count in 0..<Self.text.count { _ = MountTable(String(Self.text.prefix(count))).isReadOnly("/data") }
    }

    /// In a chroot the root is no mount, and no other path is sure.
    @Test func thisMachinesTableIsRead() throws {
        let own = try MountTable.own()
        #expect(own.isReadOnly("/proc") == false)
    }
}
