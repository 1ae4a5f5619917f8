// SPDX-License-Identifier: Apache-2.0
import Bytes
import CommandLineClient
import Commands
import Control
import Foundation
import JSON
import Synchronization
import System
import Time
import Venue

/// A box without engines behind a real control socket on a loop of its own.
final class ServedBox: Sendable {
    let path: String
    private let stopping: Waker
    private let appending: Waker
    private let thread: DedicatedThread

    private struct Doors: Sendable {
        let stopping: Waker
        let appending: Waker
    }

    private final class Start: Sendable {
        let doors = Mutex<Result<Doors, any Error>?>(nil)
        let appendCount = Mutex<Int>(0)
        let semaphore = DispatchSemaphore(value: 0)

        func takeAppendCount() -> Int {
            appendCount.withLock { count in
                defer { count = 0 }
                return count
            }
        }
    }
    private let start: Start

    init(path: String = ServedBox.freshPath()) throws {
        let start = Start()
        thread = try DedicatedThread("box") {
            do {
                let loop = try EventLoop()
                let box = StandInBox(loop: loop)
                let server = try ControlServer(path: path, loop: loop, handler: box)
                let doors = Doors(
                    stopping: try loop.makeWaker { [weak loop] in loop?.stop() },
                    appending: try loop.makeWaker { [weak server] in
                        for _ in 0..<start.takeAppendCount() {
                            box.append()
                            server?.eventsAppended()
                            if let feed = box.feed { server?.messagesAppended(to: feed) }
                        }
                    })
                start.doors.withLock { $0 = .success(doors) }
                start.semaphore.signal()
                try loop.run()
                server.stop()
            } catch {
                start.doors.withLock { $0 = .failure(error) }
                start.semaphore.signal()
            }
        }
        start.semaphore.wait()
        self.start = start
        self.path = path
        do {
            guard let doors = try start.doors.withLock({ try $0?.get() }) else {
                preconditionFailure("signalled before")
            }
            (stopping, appending) = (doors.stopping, doors.appending)
        } catch {
            thread.join()
            throw error
        }
    }

    func append(_ count: Int) {
        start.appendCount.withLock { $0 += count }
        appending.wake()
    }

    func stop() {
        stopping.wake()
        thread.join()
    }

    static func freshPath() -> String { "\(folder)/\(UInt32.random(in: 0...UInt32.max))/c.sock" }

    /// Goes with the process.
    private static let folder: String = {
        atexit { try? FileManager.default.removeItem(atPath: ServedBox.folder) }  // what stays in /tmp harms nobody
        return "/tmp/touchline-test-\(getpid())"
    }()
}

/// Answers from a script.
final class StandInBox: CommandHandler {
    let catalogue = CommandLineClient.catalogue
    private(set) var eventLog = EventLog()
    private let loop: EventLoop
    /// Of the one channel that can be followed, while it is.
    private(set) var feed: MessageFeed?
    private var followers: Int64 = 0
    static let picture: [UInt8] = [0x89, 0x50] + [UInt8](repeating: 7, count: 3_000_000)

    init(loop: EventLoop) {
        self.loop = loop
        append()
    }

    func append() {
        eventLog.append(
            .service, "tick", ["text": .string(String(repeating: "x", count: 500))], time: SystemClock.monotonic(),
            wallTime: SystemClock.wall())
        guard let feed else { return }
        let number = Int64(feed.lastSequence + 1)
        feed.append(["number": .integer(number), "followers": .integer(followers)], octets: 20)
    }

    func follow(dataChannel: String) -> Result<MessageFeed, Status> {
        followers += 1
        let feed = feed ?? MessageFeed(of: dataChannel)
        self.feed = feed
        return .success(feed)
    }

    func leave(_ feed: MessageFeed) {
        followers -= 1
        if followers == 0 { self.feed = nil }
    }

    func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
        switch request.command {
        case "tune":
            guard let name = request.text("channel"), name == "One" else {
                return answer(
                    .failure(.failure(.failed, "no channel '\(request.text("channel") ?? "")'; see channels")))
            }
            answer(.success(["channel": .string(name)]))
        case "channels":
            answer(.success(["channels": [["name": "One", "number": 1], ["name": "Two\u{7} words", "number": 2]]]))
        case "screenshot" where request.text("as") != nil:
            let columns = request.integer("columns") ?? 0
            let text = columns == 66 ? "\u{1b}]0;title\u{7}" : "\(request.text("as") ?? "") \(columns)\n"
            answer(.success(["text": .string(text), "width": 1280, "height": 720]))
        case "screenshot":
            _ = loop.after(.milliseconds(5)) {
                answer(.success(["png": .string(Base64.encode(Self.picture)), "width": 1280, "height": 720]))
            }
        case "status": _ = loop.after(.milliseconds(50)) { answer(.success(["boxName": "stand-in"])) }
        case "stop": answer(.success([:]))
        default: answer(.failure(.failure(.busy, "not now")))
        }
    }
}
