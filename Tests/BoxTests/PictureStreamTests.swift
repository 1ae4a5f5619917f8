// SPDX-License-Identifier: Apache-2.0
import Buffers
import JSON
import Layouts
import Presentation
import Scene
import Shapes
import Synchronization
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

/// A stream with a stage that the test plays.
private final class StreamBench: Sendable {
    struct Asked {
        var screenshots: [Screenshot] = []
        var count = 0
    }

    let exchange = PictureExchange()
    let asked = Mutex(Asked())
    let files = Mutex<[Int: Result<ScreenshotFile, Status>]>([:])

    /// - Parameter repetition: of a picture that stays the same.
    func start(repetition: Nanoseconds = .seconds(3_600)) throws -> PictureStream {
        var options = PictureStream.Options()
        options.repetition = repetition
        options.width = 32
        return try PictureStream(
            of: { PixelSize(width: 64, height: 36) }, options, over: exchange,
            take: { [self] screenshot in
                asked.withLock {
                    $0.screenshots.append(screenshot)
                    $0.count += 1
                }
                return true
            },
            encoded: { [self] ticket, result in files.withLock { $0[ticket] = result } })
    }

    /// The next copy that the stage was asked for.
    func nextAsked() throws -> Screenshot {
        var found: Screenshot?
        try until {
            found = asked.withLock { $0.screenshots.isEmpty ? nil : $0.screenshots.removeFirst() }
            return found != nil
        }
        return try #require(found)
    }

    /// The stage answers with a grey picture.
    func answer(_ screenshot: Screenshot, grey: UInt8) {
        screenshot.canvas.fill(blue: grey, green: grey, red: grey)
        exchange.taken.post(screenshot)
    }

    /// Waits long, for the pictures' thread yields to all other tests.
    func until(_ isTrue: () -> Bool) throws {
        let deadline = SystemClock.monotonic() + .seconds(60)
        let pause = Wakeup()
        while !isTrue() {
            guard SystemClock.monotonic() < deadline else { throw BenchError.nothingCame }
            pause.wait(until: SystemClock.monotonic() + .milliseconds(1))
        }
    }

    enum BenchError: Error { case nothingCame }
}

/// What one viewer was given.
private final class Look: Sendable {
    private let held = Mutex<[[UInt8]]>([])
    var files: [[UInt8]] { held.withLock { $0 } }
    func take(_ file: [UInt8]) { held.withLock { $0.append(file) } }
}

@Suite(.serialized) struct PictureStreamTests {
    /// One copy and one encoding for all, at most one on its way, and each new picture once.
    @Test func viewersShareOnePicture() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let (one, two) = (Look(), Look())
        _ = stream.addViewer(perSecond: 60) { one.take($0) }
        _ = stream.addViewer(perSecond: 60) { two.take($0) }
        for index in 1...5 {
            let copy = try bench.nextAsked()
            // A file in between is encoded while the stage owes a copy, and the stage is not asked for another one.
            stream.takeFile(ticket: index)
            let file = try bench.nextAsked()
            #expect(copy.ticket == PictureLoop.ownTicket && file.ticket == index)
            bench.answer(file, grey: 7)
            try bench.until { bench.files.withLock { $0[index] != nil } }
            #expect(bench.asked.withLock { $0.screenshots.isEmpty && $0.count == 2 * index })
            bench.answer(copy, grey: UInt8(index * 40))
            try bench.until { one.files.count == index && two.files.count == index }
        }
        #expect(one.files == two.files && Set(one.files).count == 5)
        #expect(one.files.allSatisfy { $0.starts(with: [0xff, 0xd8]) })
        #expect(stream.counters.encodeErrors == 0)
    }

    /// The output has changed: the copy that comes is larger than the one that was asked for.
    @Test func theStageGrows() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let look = Look()
        _ = stream.addViewer(perSecond: 60) { look.take($0) }
        bench.answer(try bench.nextAsked(), grey: 10)
        try bench.until { look.files.count == 1 }
        _ = try bench.nextAsked()
        bench.answer(Screenshot(ticket: PictureLoop.ownTicket, size: PixelSize(width: 48, height: 48)), grey: 200)
        try bench.until { look.files.count == 2 }
        #expect(stream.counters.encodeErrors == 0 && stream.counters.picturesEncoded == 2)
    }

    /// The stage answers late and then at once: the copy after the late one is not too early for the viewer.
    @Test func aLateCopyDelaysTheNext() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let look = Look()
        _ = stream.addViewer(perSecond: 4) { look.take($0) }
        for number in 1...3 {
            let copy = try bench.nextAsked()
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(300))
            bench.answer(copy, grey: UInt8(number * 20))
            try bench.until { look.files.count == 2 * number - 1 }
            bench.answer(try bench.nextAsked(), grey: UInt8(number * 20 + 10))
            try bench.until { look.files.count == 2 * number }
        }
        #expect(stream.counters.picturesEncoded == 6)
    }

    /// What stays the same is encoded once, and told again to whoever comes.
    @Test func whatStaysTheSameIsEncodedOnce() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let one = Look()
        _ = stream.addViewer(perSecond: 60) { one.take($0) }
        for _ in 0..<6 { bench.answer(try bench.nextAsked(), grey: 90) }
        #expect(one.files.count == 1)
        let two = Look()
        _ = stream.addViewer(perSecond: 60) { two.take($0) }
        // One copy may have been asked for before the second viewer came.
        for _ in 0..<2 { bench.answer(try bench.nextAsked(), grey: 90) }
        try bench.until { two.files.count == 1 }
        #expect(one.files == two.files)
        _ = try bench.nextAsked()
        #expect(stream.counters.picturesEncoded == 1)
    }

    /// Who wants fewer pictures is given fewer.
    @Test func viewersHaveTheirPace() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let (often, seldom) = (Look(), Look())
        _ = stream.addViewer(perSecond: 60) { often.take($0) }
        bench.answer(try bench.nextAsked(), grey: 10)
        try bench.until { often.files.count == 1 }
        _ = bench.exchange.add(period: .seconds(3_600)) { seldom.take($0) }
        for grey in [30, 60, 90] as [UInt8] { bench.answer(try bench.nextAsked(), grey: grey) }
        try bench.until { often.files.count == 4 }
        #expect(seldom.files == [often.files[1]] || seldom.files == [often.files[2]])
        _ = try bench.nextAsked()
        #expect(stream.counters.picturesEncoded == 4)
    }

    @Test func aStandingPictureIsToldAgain() throws {
        let bench = StreamBench()
        let stream = try bench.start(repetition: .zero)
        defer { stream.stop() }
        let one = Look()
        _ = stream.addViewer(perSecond: 60) { one.take($0) }
        for _ in 0..<4 { bench.answer(try bench.nextAsked(), grey: 90) }
        try bench.until { one.files.count == 4 }
        #expect(stream.counters.picturesEncoded == 1)
    }

    /// It is no viewer that is counted, and has its pictures whether they have changed or not.
    @Test func aRecorderIsGivenSmallPictures() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let one = Look()
        let recorder = stream.addRecorder(period: .milliseconds(1)) { one.take($0) }
        for _ in 0..<3 { bench.answer(try bench.nextAsked(), grey: 90) }
        try bench.until { one.files.count == 3 }
        #expect(stream.counters.viewers == 0 && stream.counters.picturesEncoded == 0)
        stream.removeViewer(recorder)
    }

    /// Whoever comes while the next picture is far away does not wait for it. A recorder's first picture does not wait
    /// either: its period is longer here than the machine has been on.
    @Test func aViewerDoesNotWaitForARecorder() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let (seldom, often) = (Look(), Look())
        _ = stream.addRecorder(period: .seconds(3_153_600_000)) { seldom.take($0) }
        bench.answer(try bench.nextAsked(), grey: 90)
        try bench.until { seldom.files.count == 1 }
        _ = stream.addViewer(perSecond: 60) { often.take($0) }
        bench.answer(try bench.nextAsked(), grey: 90)
        try bench.until { often.files.count == 1 }
    }

    /// Files are encoded without a moving picture; when the last viewer goes the stage is left alone.
    @Test func nobodyLooksNothingIsTaken() throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        let one = Look()
        let viewer = stream.addViewer(perSecond: 60) { one.take($0) }
        let last = try bench.nextAsked()
        stream.removeViewer(viewer)
        bench.answer(last, grey: 9)
        for ticket in 1...3 {
            stream.takeFile(ticket: ticket)
            let copy = try bench.nextAsked()
            #expect(copy.ticket == ticket)
            bench.answer(copy, grey: 100)
            try bench.until { bench.files.withLock { $0[ticket] != nil } }
        }
        #expect(one.files.isEmpty)
        try bench.until { stream.counters.viewers == 0 && stream.counters.picturesTaken == 4 }
        #expect(stream.counters.picturesEncoded == 0)
        let file = bench.files.withLock { $0[3] }
        guard case .success(let answer) = file else {
            Issue.record("\(String(describing: file))")
            return
        }
        #expect(answer.json["width"] == 64 && answer.json["height"] == 36)
        #expect(answer.json["png"]?.string?.hasPrefix("iVBORw0KGgo") == true)
    }

    /// A screenshot for a terminal is scaled to its columns.
    @Test(arguments: ScreenshotStyle.Form.allCases) func screenshotsAreText(form: ScreenshotStyle.Form) throws {
        let bench = StreamBench()
        let stream = try bench.start()
        defer { stream.stop() }
        stream.takeFile(ticket: 9, ScreenshotStyle(form, columns: 20))
        bench.answer(try bench.nextAsked(), grey: 255)
        try bench.until { bench.files.withLock { $0[9] != nil } }
        let file = try #require(bench.files.withLock { $0[9] }).get()
        let text = file.json["text"]?.string
        #expect(file.json["width"] == 64 && file.json["height"] == 36)
        #expect((file.json["png"] != nil) == (form == .png))
        let white = String(repeating: " ", count: 20)
        switch form {
        case .png: #expect(text == nil)
        case .ascii: #expect(text == String(repeating: String(repeating: "@", count: 20) + "\n", count: 6))
        case .blocks: #expect(text == String(repeating: "\u{1b}[48;5;231m\(white)\u{1b}[0m\n", count: 6))
        case .sixel:
            #expect(text?.hasPrefix("\u{1b}P0;1;0q\"1;1;160;90#215;2;100;100;100#215!160~-") == true)
            #expect(text?.hasSuffix("\u{1b}\\") == true)
        }
    }

    /// Noise would take the line for minutes: it comes smaller. Other forms have a size of their own.
    @Test func sixelGraphicsAreBounded() throws {
        var random = SplitMix64(seed: 12)
        let screenshot = Screenshot(ticket: 1, size: PixelSize(width: 320, height: 180))
        for place in screenshot.canvas.bytes.indices {
            screenshot.canvas.bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        }
        let text = try screenshot.text(ScreenshotStyle(.sixel, columns: 78))
        #expect((50_000...230_400).contains(text.utf8.count), "\(text.utf8.count)")
        screenshot.canvas.fill(blue: 9, green: 9, red: 9)
        #expect(try screenshot.text(ScreenshotStyle(.sixel, columns: 78)).contains("\"1;1;624;"))
    }

    @Test func picturesKeepTheirShape() {
        let sizes = [
            [1_280, 720, 960, 540], [1_920, 1_080, 960, 540], [641, 361, 640, 360], [320, 180, 320, 180],
            [3, 2_000, 2, 2_000],
        ]
        for size in sizes {
            let scaled = PictureCoder.scaled(PixelSize(width: size[0], height: size[1]), to: 960)
            #expect(scaled == PixelSize(width: size[2], height: size[3]))
        }
    }
}
