// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import System

struct PeerCredentialsTests {
    @Test func thePeerIsWhoConnected() throws {
        var ends: [CInt] = [0, 0]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let peer = try PeerCredentials(of: ends[0])
        #expect(peer.user == geteuid() && peer.groups.contains(getegid()) && peer.isOwner)
        var groups = [gid_t](repeating: 0, count: 1_024)
        let count = getgroups(CInt(groups.count), &groups)
        #expect(peer.groups == Set(groups.prefix(Int(max(0, count)))).union([getegid()]))
    }

    @Test func othersAreNoOwners() {
        #expect(!PeerCredentials(user: geteuid() == 65_534 ? 65_533 : 65_534, groups: []).isOwner)
        #expect(PeerCredentials(user: 0, groups: []).isOwner)
    }

    @Test func groupsAreFoundByName() {
        #expect(PeerCredentials.group(named: "root") == 0)
        #expect(PeerCredentials.group(named: "no such group") == nil)
    }

    @Test func whatIsNoSocketHasNoPeer() {
        #expect(throws: SystemCallError.self) { try PeerCredentials(of: STDOUT_FILENO + 900) }
    }
}
