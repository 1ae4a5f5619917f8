// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// A listening socket at a path, with a lock file beside it that ensures one owner.
///
/// The lock, not the socket, decides: a socket that a killed daemon left behind is taken over, that of a live one never
/// is.
public struct UnixListener: ~Copyable {
    private let lock: FileLock
    private let listener: FileDescriptor
    public let path: String

    public var rawValue: CInt { listener.rawValue }

    /// - Parameter group: becomes the socket's group (mode 0660) if the group exists and this process may set it.
    public init(listeningAt path: String, group: String) throws(UnixListenerError) {
        guard path.utf8.count <= UnixSocket.pathLimit else {
            throw .pathTooLong(path: path, limit: UnixSocket.pathLimit)
        }
        do {
            try DurableFile.makeDirectory(DurableFile.parent(of: path))
        } catch {
            throw .system(error)
        }
        let lock = try Self.locked(path)
        try Self.removeStale(path)
        let listener = try Self.listening(path, group: group)
        self.path = path
        self.lock = lock
        self.listener = listener
    }

    /// The lock file stays: if it were removed, two daemons could lock two files of the same name.
    deinit { unlink(path) }

    /// nil if no connection is pending.
    public func accept() throws(SystemCallError) -> FileDescriptor? {
        let listener = listener.rawValue
        do {
            return FileDescriptor(adopting: try syscall("accept \(path)") { touchline_accept(listener) })
        } catch {
            // ECONNABORTED: the client left before it was served.
            if error.code == .wouldBlock || error.code.rawValue == ECONNABORTED { return nil }
            throw error
        }
    }

    private static func locked(_ path: String) throws(UnixListenerError) -> FileLock {
        do {
            return try FileLock(path + ".lock")
        } catch {
            if error.code == .wouldBlock { throw .busy(path: path) }
            throw .system(error)
        }
    }

    private static func removeStale(_ path: String) throws(UnixListenerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        unlink(path)  // if this fails, bind reports why
    }

    private static func listening(_ path: String, group: String) throws(UnixListenerError) -> FileDescriptor {
        do {
            let listener = try UnixSocket.make(isBlocking: false)
            let raw = listener.rawValue
            // Linux gives the file the mode of its socket, so it is never open to others, not even briefly.
            _ = try syscall("fchmod socket") { fchmod(raw, 0o660) }
            try UnixSocket.bind(raw, to: path)
            _ = try syscall("chmod \(path)") { chmod(path, 0o660) }
            give(path, to: group)
            _ = try syscall("listen \(path)") { listen(raw, 16) }
            return listener
        } catch {
            throw .system(error)
        }
    }

    private static func give(_ path: String, to group: String) {
        guard let number = PeerCredentials.group(named: group) else { return }
        // This fails unless we are root or a member of the group. After a failure only our own user can connect.
        _ = chown(path, uid_t.max, number)
    }
}
