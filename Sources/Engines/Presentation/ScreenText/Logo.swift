// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import Scene
import System

/// A venue's or a channel's picture, from a PNG file. Pixels are blue, green, red, opacity, premultiplied.
public final class Logo: Sendable {
    static let largestFile = 1 << 20
    static let mostPixels = PixelSize(width: 1_024, height: 1_024)

    /// The path of the file.
    let path: String
    private let canvas: CanvasBuffer

    /// - Throws: why the file cannot be shown, in words.
    init(reading path: String) throws(LogoProblem) {
        self.path = path
        let octets: [UInt8]?
        do throws(SystemCallError) {
            octets = try DurableFile.read(path, limit: Self.largestFile)
        } catch {
            throw LogoProblem(path: path, reason: "\(error)")
        }
        guard let octets else { throw LogoProblem(path: path, reason: "there is no such file") }
        do throws(CodecError) {
            canvas = try PNG.decode(octets, mostPixels: Self.mostPixels.width * Self.mostPixels.height)
        } catch {
            throw LogoProblem(path: path, reason: "it is no PNG file of at most 1024 by 1024 pixels")
        }
        guard canvas.width <= Self.mostPixels.width, canvas.height <= Self.mostPixels.height else {
            throw LogoProblem(
                path: path, reason: "it has \(canvas.width) by \(canvas.height) pixels; expected at most 1024 by 1024")
        }
    }

    /// The largest size of its shape within another.
    func size(in room: PixelSize) -> PixelSize {
        let byWidth = canvas.width * room.height > room.width * canvas.height
        return byWidth
            ? PixelSize(width: max(1, room.width), height: max(1, canvas.height * room.width / canvas.width))
            : PixelSize(width: max(1, canvas.width * room.height / canvas.height), height: max(1, room.height))
    }

    /// The picture in another size: each pixel is the mean of those that it stands for.
    func scaled(to size: PixelSize) -> CanvasBuffer {
        let result = CanvasBuffer(width: size.width, height: size.height)
        for y in 0..<size.height {
            let rows = Self.span(y, of: size.height, in: canvas.height)
            for x in 0..<size.width {
                let columns = Self.span(x, of: size.width, in: canvas.width)
                var sums = SIMD4<UInt32>.zero
                for row in rows {
                    for column in columns {
                        let pixel = row * canvas.stride + column * 4
                        sums &+= SIMD4(
                            UInt32(canvas.bytes[pixel]), UInt32(canvas.bytes[pixel + 1]),
                            UInt32(canvas.bytes[pixel + 2]), UInt32(canvas.bytes[pixel + 3]))
                    }
                }
                let count = UInt32(rows.count * columns.count)
                let target = y * result.stride + x * 4
                for octet in 0..<4 { result.bytes[target + octet] = UInt8((sums[octet] &+ count / 2) / count) }
            }
        }
        return result
    }

    private static func span(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = index * length / count
        return start..<max(start + 1, (index + 1) * length / count)
    }
}

/// Why a logo is not shown.
struct LogoProblem: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "logo \(path): \(reason)" }
}

/// The logos that have been read, those that cannot be shown among them.
/// - Thread: one.
final class LogoShelf {
    private static let most = 16

    private var logos: [String: Logo?] = [:]
    private let failed: (LogoProblem) -> Void

    /// - Parameter failed: called once for each file that cannot be shown.
    init(failed: @escaping (LogoProblem) -> Void) { self.failed = failed }

    /// - Returns: nil if the file cannot be shown. It is not tried again before `forget`.
    func logo(_ path: String) -> Logo? {
        if let known = logos[path] { return known }
        if logos.count >= Self.most { forget() }
        do throws(LogoProblem) {
            let logo = try Logo(reading: path)
            logos[path] = logo
            return logo
        } catch {
            logos[path] = .some(nil)
            failed(error)
            return nil
        }
    }

    func forget() { logos = [:] }
}
