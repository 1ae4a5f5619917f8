// SPDX-License-Identifier: Apache-2.0
import CSystemShims

/// Descriptors that one process passes to another (SCM_RIGHTS).
extension UnixSocket {
    /// Sends octets, of which there must be one, and with the first of them a descriptor, which stays open here.
    /// - Returns: number of octets sent; nil if the socket takes none now.
    public static func send(
        _ descriptor: CInt, _ bytes: [UInt8], passing passed: CInt
    ) throws(SystemCallError) -> Int? {
        precondition(!bytes.isEmpty)
        do throws(SystemCallError) {
            return try syscall("sendmsg SCM_RIGHTS") {
                touchline_send_descriptor(descriptor, bytes, bytes.count, passed)
            }
        } catch {
            if error.code == .wouldBlock { return nil }
            throw error
        }
    }

    /// Receives octets and, if one comes with them, a descriptor. Of several, all are closed.
    /// - Parameter passed: is left alone if none comes.
    /// - Returns: number of octets received into `buffer`, 0 at the end of the stream; nil if there are none now.
    public static func receive(
        _ descriptor: CInt, into buffer: inout [UInt8], passed: inout FileDescriptor?
    ) throws(SystemCallError) -> Int? {
        var found: CInt = -1
        do throws(SystemCallError) {
            let count = try syscall("recvmsg") {
                touchline_receive_descriptor(descriptor, &buffer, buffer.count, &found)
            }
            if found >= 0 { passed = FileDescriptor(adopting: found) }
            return count
        } catch {
            if error.code == .wouldBlock { return nil }
            throw error
        }
    }
}
