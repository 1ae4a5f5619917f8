// SPDX-License-Identifier: Apache-2.0
import Codecs
import Control
import Glibc
import JSON
import Media
import Presentation
import Scene
import System
import Time
import Venue

/// The pictures' thread's own state. Made and used on that thread only.
final class PictureLoop {
    /// Of the copies for the moving picture: no asker has it.
    static let ownTicket = 0

    private let size: PixelSize
    private let options: PictureStream.Options
    private let exchange: PictureExchange
    private let take: (Screenshot) -> Bool
    private let encoded: (Int, Result<JSONValue, Status>) -> Void
    private var counters = PictureCounters()
    /// By the width of their pictures; none while nobody looks.
    private var coders: [Int: PictureCoder] = [:]
    /// The newest copy that was different from the one before, and its files by their width.
    private var shown: Screenshot?
    private var files: [Int: [UInt8]] = [:]
    private var version = 0
    /// For the next copy.
    private var spare: Screenshot?
    /// The stage has been asked and has not answered: it is not asked again.
    private var isAsked = false
    private var due = Monotonic(nanoseconds: 0)

    init(
        of size: PixelSize, _ options: PictureStream.Options, _ exchange: PictureExchange,
        take: @escaping (Screenshot) -> Bool, encoded: @escaping (Int, Result<JSONValue, Status>) -> Void
    ) {
        self.size = size
        self.options = options
        self.exchange = exchange
        self.take = take
        self.encoded = encoded
    }

    func run() {
        while !exchange.stopping.isRaised {
            for screenshot in exchange.taken.takeAll() {
                counters.picturesTaken += 1
                if screenshot.ticket == Self.ownTicket {
                    isAsked = false
                    look(at: screenshot, now: SystemClock.monotonic())
                } else {
                    encoded(screenshot.ticket, Self.file(of: screenshot))
                }
            }
            let deadline = askStage(at: SystemClock.monotonic())
            exchange.counters.set(counters)
            exchange.wakeup.wait(until: deadline)
        }
    }

    /// - Returns: when to look again.
    private func askStage(at now: Monotonic) -> Monotonic {
        counters.viewers = Int64(exchange.viewerCount)
        guard let period = exchange.shortestPeriod else {
            coders = [:]
            files = [:]
            (shown, spare) = (nil, nil)
            return now + .seconds(3_600)
        }
        guard !isAsked else { return now + .seconds(3_600) }
        guard due <= now else { return due }
        isAsked = take(spare.take() ?? Screenshot(ticket: Self.ownTicket, size: size))
        due = max(due + period, now + period / 2)
        return isAsked ? now + .seconds(3_600) : due
    }

    private func look(at screenshot: Screenshot, now: Monotonic) {
        if let shown, Self.areEqual(shown.canvas, screenshot.canvas) {
            spare = screenshot
        } else {
            spare = shown
            shown = screenshot
            files = [:]
            version += 1
        }
        for delivery in exchange.takeDue(version: version, repetition: options.repetition, at: now) {
            do {
                delivery.deliver(try file(width: delivery.width))
            } catch {
                counters.encodeErrors += 1
            }
        }
        // A copy that comes at once after this one would be too early for all.
        due = max(due, now + (exchange.shortestPeriod ?? .zero) / 2)
    }

    /// Of what is shown.
    private func file(width: Int) throws -> [UInt8] {
        if let made = files[width] { return made }
        guard let shown else { return [] }
        let coder = try coders[width] ?? PictureCoder(of: size, width: width, quality: options.quality)
        coders[width] = coder
        let file = try coder.encode(shown.canvas)
        files[width] = file
        counters.picturesEncoded += 1
        counters.octetsEncoded += Int64(file.count)
        return file
    }

    private static func areEqual(_ one: borrowing CanvasBuffer, _ other: borrowing CanvasBuffer) -> Bool {
        guard let one = one.bytes.baseAddress, let two = other.bytes.baseAddress else { return false }
        return memcmp(one, two, other.bytes.count) == 0
    }

    /// As the command `screenshot` answers.
    private static func file(of screenshot: Screenshot) -> Result<JSONValue, Status> {
        do {
            let png = try PNG.encode(screenshot.canvas)
            return .success([
                "png": .string(Base64.encode(png)), "width": .integer(Int64(screenshot.canvas.width)),
                "height": .integer(Int64(screenshot.canvas.height)),
            ])
        } catch {
            return .failure(.failure(.failed, "screenshot: \(error)"))
        }
    }
}
