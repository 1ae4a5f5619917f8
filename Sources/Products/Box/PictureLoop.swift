// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import Control
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
    private let answer: (Int, Result<JSONValue, Status>) -> Void
    private var counters = PictureCounters()
    /// Nil while nobody looks, as are the next three.
    private var coder: PictureCoder?
    /// The newest copy that was different from the one before, and its file when somebody wanted it.
    private var shown: Screenshot?
    private var file: [UInt8]?
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
        answer = encoded
    }

    func run() {
        while !exchange.stopping.isRaised {
            for screenshot in exchange.taken.takeAll() {
                counters.picturesTaken += 1
                if screenshot.ticket == Self.ownTicket {
                    isAsked = false
                    look(at: screenshot, now: SystemClock.monotonic())
                } else {
                    answer(screenshot.ticket, Self.file(of: screenshot))
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
            coder = nil
            file = nil
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
        if let shown, shown.canvas.isEqual(to: screenshot.canvas) {
            spare = screenshot
        } else {
            spare = shown
            shown = screenshot
            file = nil
            version += 1
        }
        let waiting = exchange.takeDue(version: version, repetition: options.repetition, at: now)
        do {
            if !waiting.isEmpty, let file = try encoded() { for deliver in waiting { deliver(file) } }
        } catch {
            counters.encodeErrors += 1
        }
        // A copy that comes at once after this one would be too early for all.
        due = max(due, now + (exchange.shortestPeriod ?? .zero) / 2)
    }

    /// Of what is shown.
    private func encoded() throws -> [UInt8]? {
        if let file { return file }
        guard let shown else { return nil }
        let coder = try coder ?? PictureCoder(of: size, width: options.width, quality: options.quality)
        self.coder = coder
        let file = try coder.encode(shown.canvas)
        self.file = file
        counters.picturesEncoded += 1
        counters.octetsEncoded += Int64(file.count)
        return file
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
