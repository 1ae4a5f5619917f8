// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import TestSupport
import Testing
import Time

@testable import Sound

/// Against libasound's own software devices; a machine that builds has no sound card.
@Suite(.enabled(if: Required.file("/usr/share/alsa/alsa.conf"), "libasound2-data has libasound's configuration"))
struct ALSASoundTests {
    private func tone(_ frames: Range<Int>) -> [Float] {
        frames.flatMap { frame -> [Float] in
            let sample = Float(0.5 * sin(2 * .pi * 1_000 * Double(frame) / 48_000))
            return [sample, -sample]
        }
    }

    @Test func theNullDeviceTakesEverything() throws {
        let sound = try ALSASound(device: "null", clock: ManualClock())
        #expect(sound.sampleRate == 48_000)
        #expect((1...4_800).contains(sound.period))
        for index in 0..<100 {
            try tone(index * 480..<index * 480 + 480).withUnsafeBufferPointer { try sound.write($0) }
        }
        #expect(sound.underruns == 0)
    }

    @Test func theFileDeviceKeepsWhatIsWritten() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString).raw").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let samples = tone(0..<48_000)
        do {
            let sound = try ALSASound(device: "file:FILE=\(path),FORMAT=raw", clock: ManualClock())
            for start in stride(from: 0, to: samples.count, by: 960) {
                try samples[start..<start + 960].withUnsafeBufferPointer { try sound.write($0) }
            }
        }
        let data = try Data(contentsOf: URL(filePath: path))
        let played = stride(from: 0, to: data.count, by: 4).map { place in
            Float(bitPattern: data[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        let first = try #require(played.firstIndex { $0 != 0 })
        // The tone begins with a frame of zeros, and before it there was but silence.
        #expect(Array(played[(first - 2)...].prefix(samples.count)) == samples)
        #expect(first > 480)
    }

    @Test func aDeviceThatIsNotThereIsLost() {
        let error = thrown(SoundError.self) { _ = try ALSASound(device: "hw:31,7", clock: ManualClock()) }
        guard case .lost? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
