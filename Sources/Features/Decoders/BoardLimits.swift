// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import Settings
import Shapes
import System

/// What the file of this board says of its decoders, of the boards' files that the image has (SVM-23).
struct BoardLimits {
    /// Nil: none is about this machine, and what the drivers say counts.
    private(set) var file: String?
    private(set) var limits = DecoderLimits()
    /// Files of the image that are not taken.
    private(set) var refusals: [DecodersRefused] = []

    static let sealName = "SHA256SUMS"
    private static let mostOctets = 64 << 10

    /// - Parameters:
    ///   - folder: of the boards' files and their seal. A machine that is no image has none.
    ///   - machine: what it is called, the most particular first.
    init(in folder: String, for machine: [String]) {
        do {
            guard let octets = try DurableFile.read("\(folder)/\(Self.sealName)", limit: Self.mostOctets) else {
                return
            }
            guard let seal = BoardSeal(parsing: octets) else {
                let what = "at most \(BoardSeal.mostEntries) lines of sha256sum"
                refuse(Self.sealName, [Problem(path: "", expectation: what)])
                return
            }
            var place = machine.count
            for entry in seal.entries {
                guard let board = try read(entry, in: folder),
                    let found = machine.prefix(place).firstIndex(where: board.compatible.contains)
                else { continue }
                (place, file, limits) = (found, entry.name, DecoderLimits(board))
            }
        } catch {
            refuse(Self.sealName, [Problem(path: "", expectation: "a file that can be read: \(error)")])
        }
    }

    private mutating func read(_ entry: BoardSeal.Entry, in folder: String) throws -> BoardDecoders? {
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

    /// What this machine is called by its device tree or, without one, by its firmware (DMI).
    static func namesOfThisMachine() -> [String] {
        // Neither there nor readable: a machine without a name.
        if let tree = try? DurableFile.read("/proc/device-tree/compatible") { return names(inTree: tree) }
        guard let product = try? DurableFile.read("/sys/class/dmi/id/product_name") else { return [] }
        return [String(decoding: product.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)]
    }

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
                    streams: device.streams?.compactMap(Stream.init))
            })
    }
}

extension DecoderLimits.Stream {
    /// Nil for what nobody here calls a codec.
    fileprivate init?(_ stream: BoardDecoders.Stream) {
        guard let coding = VideoCoding(rawValue: stream.codec) else { return nil }
        self.init(
            coding, profiles: stream.profiles, mostWidth: stream.width, mostHeight: stream.height,
            mostPicturesPerSecond: stream.picturesPerSecond, instances: stream.instances)
    }
}
