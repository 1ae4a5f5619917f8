// SPDX-License-Identifier: Apache-2.0
import System

/// The directory in which a process has its rings, and those that processes before it have left. It has to be on a tmpfs,
/// else the rings are written to a disk.
public struct RingDirectory: Sendable {
    /// Of all processes.
    public let parent: String
    /// Of this one.
    private let name: String

    public var path: String { "\(parent)/\(name)" }
    static let suffix = ".ring"
    static let (events, statistics) = ("events" + suffix, "statistics" + suffix)
    static let pictures = "pictures" + suffix
    /// The files of the rings that belong to the box and to no channel.
    static let ofTheBox = [events, statistics, pictures]

    /// - Parameter nonce: no two processes have the same.
    public init(_ parent: String, nonce: UInt64) { (self.parent, name) = (parent, String(nonce, radix: 16)) }

    func make(_ file: String, octets: Int) throws(SystemCallError) -> SharedMemoryFile {
        try DurableFile.makeDirectory(path, mode: 0o700)
        return try SharedMemoryFile(creating: "\(path)/\(file)", octets: octets)
    }

    /// Removes the rings of this process, which stops.
    public func remove() { Self.remove(path) }

    /// What processes that did not stop have left: their rings, which are removed.
    /// - Returns: files by name, those of one process together.
    public func takeLeft() -> [[String: RingImage]] {
        guard let names = try? DurableFile.names(in: parent) else { return [] }  // without it nothing is left
        return names.sorted().filter { $0 != name }.compactMap { other in
            let directory = "\(parent)/\(other)"
            var images: [String: RingImage] = [:]
            let files = (try? DurableFile.names(in: directory)) ?? []  // it is none of ours
            for file in files.sorted().prefix(Self.mostRings) where file.hasSuffix(Self.suffix) {
                let octets = (try? DurableFile.read("\(directory)/\(file)", limit: RingImage.mostOctets)) ?? nil
                // What cannot be read is of no use.
                if let octets, let image = try? RingImage(file: octets) { images[file] = image }
            }
            Self.remove(directory)
            return images.isEmpty ? nil : images
        }
    }

    private static let mostRings = 64

    private static func remove(_ directory: String) {
        let files = (try? DurableFile.names(in: directory)) ?? []  // it is gone already
        for file in files where file.hasSuffix(suffix) { DurableFile.remove("\(directory)/\(file)") }
        DurableFile.removeDirectory(directory)
    }
}
