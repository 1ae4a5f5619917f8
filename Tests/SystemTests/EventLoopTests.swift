// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Testing
import Time

@Test func runsTimersInOrder() throws {
    let loop = try EventLoop()
    var fired: [Int] = []
    _ = loop.after(.milliseconds(20)) {
        fired.append(2)
        loop.stop()
    }
    _ = loop.after(.milliseconds(5)) { fired.append(1) }
    let cancelled = loop.after(.milliseconds(1)) { fired.append(0) }
    loop.cancel(cancelled)
    try loop.run()
    #expect(fired == [1, 2])
}

@Test func repeatsWithoutCatchingUp() throws {
    let loop = try EventLoop()
    var count = 0
    let timer = loop.every(.milliseconds(5)) {
        count += 1
        if count == 1 { usleep(30_000) }
        if count == 3 { loop.stop() }
    }
    try loop.run()
    loop.cancel(timer)
    #expect(count == 3)
}

@Test func wakesFromAnotherThread() throws {
    let loop = try EventLoop()
    let waker = try loop.makeWaker { loop.stop() }
    let thread = try DedicatedThread("waker") { waker.wake() }
    try loop.run()
    thread.join()
}

/// A waker of something that is gone is closed, and its handler is not called, not even for a wake that is pending.
@Test func removedWakersAreSilentAndGone() throws {
    let loop = try EventLoop()
    var count = 0
    var waker: Waker? = try loop.makeWaker { count += 1 }
    let other = try loop.makeWaker { count += 10 }
    waker?.wake()
    try loop.turn(atMost: .milliseconds(100))
    waker?.wake()
    other.wake()
    let gone = Reference(waker)
    if let waker { loop.remove(waker) }
    waker?.wake()
    waker = nil
    try loop.turn(atMost: .milliseconds(100))
    #expect(count == 11 && gone.waker == nil)
}

private final class Reference {
    weak var waker: Waker?
    init(_ waker: Waker?) { self.waker = waker }
}

@Test func unwatchedDescriptorsAreSilent() throws {
    let loop = try EventLoop()
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var count = 0
    let watch = try loop.watch(ends[0], for: .readable) { _ in count += 1 }
    #expect(write(ends[1], "x", 1) == 1)
    try loop.turn(atMost: .milliseconds(100))
    loop.unwatch(watch)
    try loop.turn(atMost: .milliseconds(10))
    #expect(count == 1)
}
