// SPDX-License-Identifier: Apache-2.0
import Buffers
import Foundation
import System
import Testing
import Time

@testable import Codecs
@testable import Playback

/// A session that follows one whose decoder has not been given back yet.
@Suite struct SessionHandoverTests {
    private static let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL.path

    private func open(_ devices: FakeBench, behind predecessor: SessionEnd) throws -> PlaybackSession {
        var options = PlaybackSession.Options(delay: .zero)
        options.decoders = devices.pool
        options.predecessors = [predecessor]
        return try PlaybackSession(id: 2, FileProvider(path: Self.clip), options, pictureWakeup: Wakeup()) { _ in }
    }

    private func becomes(_ condition: () -> Bool) -> Bool {
        let deadline = SystemClock.monotonic() + .seconds(20)
        while !condition(), SystemClock.monotonic() < deadline {
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
        return condition()
    }

    /// It asks for a device when the other one's place is free again, not before.
    @Test func waitsForThePlaceAtADevice() throws {
        let (devices, predecessor) = (FakeBench([{ _ in .init() }]), SessionEnd(threads: 1))
        let session = try open(devices, behind: predecessor)
        let isRead = becomes { session.counters.value.videoUnits >= 25 }
        #expect(isRead && devices.pool.counts.admitted == 0)
        predecessor.threadEnded()
        let isAdmitted = becomes { devices.pool.counts.admitted == 1 }
        #expect(isAdmitted)
        session.close()
        session.join()
        #expect(session.end.isReached)
    }

    /// It does not wait for one that hangs, nor with a session that is closed itself.
    @Test func doesNotWaitForEver() throws {
        let (devices, predecessor) = (FakeBench([{ _ in .init() }]), SessionEnd(threads: 1))
        let session = try open(devices, behind: predecessor)
        let isAdmitted = becomes { devices.pool.counts.admitted == 1 }
        #expect(isAdmitted && !predecessor.isReached)
        session.close()
        session.join()
        let closed = try open(devices, behind: predecessor)
        closed.close()
        closed.join()
        #expect(closed.end.isReached && devices.pool.counts.admitted == 1)
    }
}
