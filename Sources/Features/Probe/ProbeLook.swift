// SPDX-License-Identifier: Apache-2.0
import Buffers
import Containers
import Network
import RTP
import System
import Time
import Venue

/// The part of `probe` that waits for a disk or a network.
/// - Thread: one of its own.
struct ProbeLook: Sendable {
    /// How long a group is listened to, and the most that is kept of it.
    static let listening = Nanoseconds.seconds(3)
    static let mostOctets = 4 << 20

    /// Raised when the look takes too long.
    let interrupt = StopFlag()
    /// Where groups are joined; empty for where their route leads.
    let interface: String

    func file(_ path: String) throws(Status) -> ProbeAnswer {
        let description = try describe(path)
        return ProbeAnswer(description: description, reason: Self.reason(description, isCut: false))
    }

    /// - Parameter octets: the first part of a document.
    func document(_ octets: [UInt8], from url: String) throws(Status) -> ProbeAnswer {
        let description = try describe(octets, of: url)
        let fit = Self.reason(description, isCut: true)
        let reason = fit.map { "\($0) And nothing is played from URLs." }
        return ProbeAnswer(
            description: description,
            reason: reason ?? "Nothing is played from URLs; as a file on the box, or as a channel, it would be.")
    }

    func group(_ address: String, _ port: UInt16) throws(Status) -> ProbeAnswer {
        let (octets, isRTP) = try hear(address, port)
        let name = "\(isRTP ? "rtp" : "udp")://\(address):\(port)"
        guard !octets.isEmpty else {
            throw .failure(.failed, "nothing was heard on \(address):\(port) in \(Self.listening.seconds) s")
        }
        let description = try describe(octets, of: name)
        return ProbeAnswer(description: description, reason: Self.reason(description, isCut: true))
    }

    // MARK: Looking

    /// - Parameter isCut: whether only the first part was looked at.
    private static func reason(_ description: MediaDescription, isCut: Bool) -> String? {
        guard description.isRead else { return "The box reads no files of the kind \(description.container)." }
        guard !description.streams.isEmpty else {
            return isCut
                ? "No stream was found in the first part of it; of an MP4 file the index may be at its end."
                : "It has no streams."
        }
        guard !description.streams.contains(where: { $0.played != nil }) else { return nil }
        let codecs = Set(description.streams.map(\.codec)).sorted().joined(separator: ", ")
        return "The box plays none of its codecs: \(codecs)."
    }

    private func describe(_ path: String) throws(Status) -> MediaDescription {
        do throws(ContainerError) {
            return try MediaDescription(of: path, until: interrupt)
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// - Parameter name: what errors call it.
    private func describe(_ octets: [UInt8], of name: String) throws(Status) -> MediaDescription {
        let directory = try temporaryDirectory()
        let path = directory.path + "/media"
        defer { DurableFile.remove(path) }
        do throws(SystemCallError) {
            try DurableFile.write(octets, to: path)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        do throws(ContainerError) {
            return try MediaDescription(of: path, until: interrupt)
        } catch {
            throw .failure(.failed, "\(name) is no media: \("\(error)".replacing(path, with: "what was read of it"))")
        }
    }

    private func temporaryDirectory() throws(Status) -> TemporaryDirectory {
        do throws(SystemCallError) {
            return try TemporaryDirectory()
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// Transport packets of a group, out of RTP if they are in it.
    private func hear(_ address: String, _ port: UInt16) throws(Status) -> (octets: [UInt8], isRTP: Bool) {
        do throws(SystemCallError) {
            let socket = try DatagramSocket(listeningTo: address, port: port, interface: interface)
            var batch = DatagramBatch(slots: 64, octets: 2_048)
            let end = SystemClock.monotonic() + Self.listening
            var octets: [UInt8] = []
            var isRTP = false
            while SystemClock.monotonic() < end, octets.count < Self.mostOctets, !interrupt.isRaised {
                let count = try batch.receive(from: socket)
                for index in 0..<count {
                    batch.withBytes(index) { bytes in
                        if bytes.first == 0x47 { return octets.append(contentsOf: bytes) }
                        guard let header = try? RTPHeader(bytes) else { return }
                        isRTP = true
                        octets.append(contentsOf: bytes[header.payload])
                    }
                }
            }
            return (octets, isRTP)
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }
}
