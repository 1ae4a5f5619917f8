// SPDX-License-Identifier: Apache-2.0
import Control
import Layouts
import Media
import Presentation
import Scene
import System
import Time
import Venue

/// The state of the pictures' thread.
/// - Thread: created and used on that thread only.
final class PictureLoop {
    /// The ticket of copies for the moving picture. Screenshots have tickets from 1.
    static let ownTicket = 0

    private let size: () -> PixelSize
    private let options: PictureStream.Options
    private let exchange: PictureExchange
    private let take: (Screenshot) -> Bool
    private let answer: (Int, Result<ScreenshotFile, Status>) -> Void
    private var counters = PictureCounters()
    /// Empty while there is no viewer, as are `shown`, `files` and `spare`.
    private var coders: [PictureExchange.Format: (coder: PictureCoder, size: PixelSize)] = [:]
    /// The newest copy that differed from the one before; `files` are its JPEG files, as far as they were needed.
    private var shown: Screenshot?
    private var files: [PictureExchange.Format: [UInt8]] = [:]
    private var version = 0
    /// Memory for the next copy.
    private var spare: Screenshot?
    /// Whether the stage was asked for a copy and has not answered. It is not asked again until then.
    private var isAsked = false
    private var due = Monotonic(nanoseconds: 0)
    /// When the stage was asked last, and when its last answer was looked at; nil before the first time.
    private var asked: Monotonic?
    private var looked: Monotonic?

    init(
        of size: @escaping () -> PixelSize, _ options: PictureStream.Options, _ exchange: PictureExchange,
        take: @escaping (Screenshot) -> Bool, encoded: @escaping (Int, Result<ScreenshotFile, Status>) -> Void
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
                    let style = exchange.takeStyle(ticket: screenshot.ticket)
                    answer(screenshot.ticket, Self.file(of: screenshot, style))
                }
            }
            let deadline = askStage(at: SystemClock.monotonic())
            exchange.counters.set(counters)
            exchange.wakeup.wait(until: deadline)
        }
    }

    /// Asks the stage for a copy if one is due.
    /// - Returns: when to call again.
    private func askStage(at now: Monotonic) -> Monotonic {
        counters.viewers = Int64(exchange.viewerCount)
        guard let period = exchange.shortestPeriod else {
            letGo()
            return now + .seconds(3_600)
        }
        guard !isAsked else { return now + .seconds(3_600) }
        // Whoever has come since wants pictures sooner than who was there. A copy immediately after the last one would be
        // too early for every viewer, however late the last one was.
        due = min(due, asked.map { $0 + period } ?? now)
        if let looked { due = max(due, looked + period / 2) }
        guard due <= now else { return due }
        let size = size()
        let memory = spare.take().flatMap { $0.size == size ? $0 : nil }
        isAsked = take(memory ?? Screenshot(ticket: Self.ownTicket, size: size))
        due = max(due + period, now + period / 2)
        asked = now
        return isAsked ? now + .seconds(3_600) : due
    }

    private func look(at screenshot: Screenshot, now: Monotonic) {
        if let shown, shown.canvas.isEqual(to: screenshot.canvas) {
            spare = screenshot
        } else {
            spare = shown
            shown = screenshot
            files = [:]
            version += 1
        }
        let waiting = exchange.takeDue(version: version, repetition: options.repetition, at: now)
        do {
            for viewer in waiting { if let file = try encoded(viewer.format) { viewer.deliver(file) } }
        } catch {
            counters.encodeErrors += 1
        }
        looked = now
        // A recorder takes a picture rarely: the copies of the stage are freed until the next one.
        if exchange.viewerCount == 0 { letGo() }
    }

    private func letGo() {
        (coders, files) = ([:], [:])
        (shown, spare) = (nil, nil)
    }

    /// A JPEG file of `shown`; nil if there is none.
    private func encoded(_ format: PictureExchange.Format) throws -> [UInt8]? {
        if let file = files[format] { return file }
        guard let shown else { return nil }
        let file = try coder(for: shown.size, format).encode(shown.canvas)
        files[format] = file
        if format == .usual {
            counters.picturesEncoded += 1
            counters.octetsEncoded += Int64(file.count)
        }
        return file
    }

    private func coder(for size: PixelSize, _ format: PictureExchange.Format) throws -> PictureCoder {
        if let coder = coders[format], coder.size == size { return coder.coder }
        let width = format == .usual ? options.width : options.smallWidth
        let made = try PictureCoder(of: size, width: width, quality: options.quality)
        coders[format] = (made, size)
        return made
    }

    /// The answer to the command `screenshot`.
    private static func file(of screenshot: Screenshot, _ style: ScreenshotStyle) -> Result<ScreenshotFile, Status> {
        let (width, height) = (screenshot.canvas.width, screenshot.canvas.height)
        do {
            guard style.form == .png else {
                return .success(ScreenshotFile(text: try screenshot.text(style), width: width, height: height))
            }
            return .success(try screenshot.png(style))
        } catch {
            return .failure(.failure(.failed, "screenshot: \(error)"))
        }
    }
}
