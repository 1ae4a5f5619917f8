// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A network namespace for a piece of a test; threads and programs started there are in it.
public enum OwnNetwork {
    /// Whether this process may make one and `ip` is there, or tests that need one run and fail.
    public static let canBeMade: Bool = {
        let isThere = (try? run { shell("ip link set lo up") }) == true
        if !isThere { print("SKIP: no network namespace: tests that need interfaces of their own are left out") }
        return isThere || Required.everything
    }()

    public struct Refused: Error {
        public init() {}
    }

    /// Runs `body` in a network namespace of its own. It stays on the test's thread, so that what it expects is counted for
    /// the test; threads and programs that it starts are in the namespace, too.
    public static func run<Answer>(_ body: () throws -> Answer) throws -> Answer {
        let before = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
        guard before >= 0 else { throw Refused() }
        defer { close(before) }
        guard call("unshare", networkNamespace) == 0 else { throw Refused() }
        // A thread that cannot go back would give its next test a network that it does not expect.
        defer { precondition(call("setns", before, networkNamespace) == 0, "setns: errno \(errno)") }
        return try body()
    }

    /// CLONE_NEWNET.
    private static let networkNamespace: Int32 = 0x4000_0000

    /// unshare(2) or setns(2), which Glibc's module leaves out.
    private static func call(_ name: String, _ first: Int32, _ second: Int32 = 0) -> Int32 {
        guard let address = dlsym(dlopen(nil, RTLD_NOW), name) else { return -1 }
        return unsafeBitCast(address, to: (@convention(c) (Int32, Int32) -> Int32).self)(first, second)
    }

    /// Each by `sh`, without Foundation's `Process`, whose run loop wants a network of its own.
    /// - Returns: whether all commands succeeded.
    @discardableResult
    public static func shell(_ commands: String...) -> Bool {
        commands.allSatisfy { command in
            let words: [String] = ["/bin/sh", "-c", command]
            var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
            defer { for text in arguments + environment { free(text) } }
            var child: pid_t = 0
            guard posix_spawn(&child, "/bin/sh", nil, nil, &arguments, &environment) == 0 else { return false }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 {
                guard errno == EINTR else { return false }
            }
            return status == 0
        }
    }

    /// Two interfaces, box0 with 10.0.0.1 and venue0 with 10.0.0.2, each the other's peer; what comes from an own address
    /// is taken.
    public static func connect() -> Bool {
        shell(
            "ip link set lo up", "ip link add box0 type veth peer name venue0",
            "for i in all default box0 venue0; do echo 1 >/proc/sys/net/ipv4/conf/$i/accept_local; done",
            "for i in all default box0 venue0; do echo 0 >/proc/sys/net/ipv4/conf/$i/rp_filter; done",
            "for i in box0 venue0; do echo 0 >/proc/sys/net/ipv6/conf/$i/accept_dad; done",
            "ip addr add 10.0.0.1/24 dev box0", "ip addr add 10.0.0.2/24 dev venue0",
            "ip link set box0 up", "ip link set venue0 up")
    }
}
