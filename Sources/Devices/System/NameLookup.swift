// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Finds the addresses of a host by the system's resolver.
public enum NameLookup {
    /// Limit on the addresses of one name.
    public static let addressLimit = 4

    private final class Start {
        let name: String
        let report: @Sendable ([String]) -> Void
        init(_ name: String, _ report: @escaping @Sendable ([String]) -> Void) {
            self.name = name
            self.report = report
        }
    }

    /// The address in its usual form; nil if `host` is a name. Asks nobody.
    public static func numeric(_ host: String) -> String? { addresses(of: host, flags: AI_NUMERICHOST).first }

    /// Looks a name up on a thread of its own, for which nobody waits: the resolver cannot be interrupted and gives up
    /// after its own time, 5 s for each try and server unless resolv.conf(5) says otherwise.
    /// - Parameter report: called once on that thread, with the addresses in the order in which they are to be tried;
    ///   with none if the look-up failed.
    public static func start(
        _ name: String, then report: @escaping @Sendable ([String]) -> Void
    ) throws(SystemCallError) {
        let start = Unmanaged.passRetained(Start(name, report))
        var created = pthread_t()
        let result = pthread_create(
            &created, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                start.report(NameLookup.addresses(of: start.name, flags: 0))
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw SystemCallError("pthread_create", Errno(rawValue: result))
        }
        pthread_detach(created)
    }

    private static func addresses(of host: String, flags: CInt) -> [String] {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [String] = []
        var next = first
        while let entry = next?.pointee, found.count < addressLimit {
            next = entry.ai_next
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
                let size = socklen_t(text.count)
                guard let base = text.baseAddress,
                    getnameinfo(entry.ai_addr, entry.ai_addrlen, base, size, nil, 0, NI_NUMERICHOST) == 0
                else { return }
                found.append(String(cString: base))
            }
        }
        return found
    }
}
