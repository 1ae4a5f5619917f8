// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import Settings
import Shapes
import System

/// The decoder limits of this machine's board, from the boards' files in the image. They narrow what drivers report
/// (SVM-23).
struct BoardLimits {
    /// The name of the board's file; nil if no file matches this machine, whose limits are then those of the drivers.
    private(set) var file: String?
    private(set) var limits = DecoderLimits()
    /// The files that were refused.
    private(set) var refusals: [DecodersRefused] = []

    static let sealName = "SHA256SUMS"
    private static let mostOctets = 64 << 10

    /// - Parameters:
    ///   - folder: the folder of the boards' files and their checksum manifest. It exists only in an image.
    ///   - machine: the names of this machine, the most specific first.
    init(in folder: String, for machine: [String]) {
        do {
            guard let octets = try DurableFile.read("\(folder)/\(Self.sealName)", limit: Self.mostOctets) else {
                return
            }
            guard let manifest = ChecksumManifest(parsing: octets) else {
                let what = "at most \(ChecksumManifest.mostEntries) lines of sha256sum"
                refuse(Self.sealName, [Problem(path: "", expectation: what)])
                return
            }
            var place = machine.count
            for entry in manifest.entries {
                guard let board = try read(entry, in: folder),
                    let found = machine.prefix(place).firstIndex(where: board.compatible.contains)
                else { continue }
                (place, file, limits) = (found, entry.name, DecoderLimits(board))
            }
        } catch {
            refuse(Self.sealName, [Problem(path: "", expectation: "a file that can be read: \(error)")])
        }
    }

    private mutating func read(_ entry: ChecksumManifest.Entry, in folder: String) throws -> BoardDecoders? {
        let octets = try DurableFile.read("\(folder)/\(entry.name)", limit: Self.mostOctets) ?? []
        let digest = try Digest.sha256(octets)
        guard digest == entry.digest else {
            let expected = "octets with the SHA-256 \(entry.digest)"
            refuse(entry.name, [Problem(path: "", value: .string(digest), expectation: expected)])
            return nil
        }
        do throws(SettingsError) {
            return try BoardDecoders(parsing: octets)
        } catch {
            switch error {
            case .malformed(let error): refuse(entry.name, [Problem(path: "", expectation: "JSON: \(error)")])
            case .invalid(let problems): refuse(entry.name, problems)
            }
            return nil
        }
    }

    private mutating func refuse(_ file: String, _ problems: [Problem]) {
        refusals.append(DecodersRefused(file: file, problems: problems))
    }

    /// The names of this machine in its device tree or, if it has none, in its firmware (DMI); empty if there is
    /// neither.
    static func namesOfThisMachine() -> [String] {
        // A file that is absent or cannot be read gives no name.
        if let tree = try? DurableFile.read("/proc/device-tree/compatible") { return names(inTree: tree) }
        guard let product = try? DurableFile.read("/sys/class/dmi/id/product_name") else { return [] }
        return [String(decoding: product.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)]
    }

    /// The first 16 names of a device tree's `compatible` property.
    /// - Parameter octets: names that each end with NUL.
    static func names(inTree octets: [UInt8]) -> [String] {
        octets.split(separator: 0).prefix(16).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension DecoderLimits {
    init(_ board: BoardDecoders) {
        self.init(
            devices: board.devices.map { device in
                Device(
                    driver: device.driver, instances: device.instances, pixelsPerSecond: device.pixelsPerSecond,
                    streams: device.streams?.compactMap(Stream.init), licenceProblem: device.licence?.problem)
            })
    }
}

extension BoardDecoders.Licence {
    private static let mostOctets = 64 << 10

    /// What is wrong with the file on this box; nil if it is the licence that the board means.
    fileprivate var problem: String? {
        do {
            guard let octets = try DurableFile.read(file, limit: Self.mostOctets) else {
                return "licence \(file) is missing"
            }
            return try Digest.sha256(octets) == sha256 ? nil : "licence \(file) is another one"
        } catch {
            return "licence \(file) cannot be read"
        }
    }
}

extension DecoderLimits.Stream {
    /// nil if the codec is unknown.
    fileprivate init?(_ stream: BoardDecoders.Stream) {
        guard let coding = VideoCoding(rawValue: stream.codec) else { return nil }
        self.init(
            coding, profiles: stream.profiles, mostWidth: stream.width, mostHeight: stream.height,
            mostPicturesPerSecond: stream.picturesPerSecond, instances: stream.instances)
    }
}
