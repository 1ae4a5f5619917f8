// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import TestSupport
import Testing
import Time

@testable import Sound

@Suite struct WAVSoundTests {
    let directory: URL
    let clock = ManualClock()

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func write(_ sound: WAVSound, _ samples: [Float]) throws {
        try samples.withUnsafeBufferPointer { try sound.write($0) }
    }

    private func open(_ name: String, limit: Int = .max) throws -> WAVSound {
        try WAVSound(path: directory.appending(path: name).path, limit: limit, clock: clock)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appending(path: name)))
    }

    private func describedOctets(_ file: [UInt8]) -> Int { file[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) } }

    @Test func samplesAreClippedAndLittleEndian() throws {
        do {
            let sound = try open("a.wav")
            try write(sound, [0, 0.5, 1, -1, 7, -.infinity, .nan, 0])
        }
        let file = try bytes("a.wav")
        #expect(file.count == 44 + 16)
        #expect(file[40..<44].elementsEqual([16, 0, 0, 0]))
        let values = stride(from: 44, to: 60, by: 2).map {
            Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8)
        }
        #expect(values == [0, 16_383, 32_767, -32_767, 32_767, -32_767, 0, 0])
    }

    @Test func aFileThatNobodyClosedDescribesAllButItsLastSecond() throws {
        let sound = try open("b.wav")
        for _ in 0..<250 { try write(sound, [Float](repeating: 0.1, count: 960)) }  // 2.5 s
        let file = try bytes("b.wav")
        #expect(describedOctets(file) >= 2 * 48_000 * 4 && describedOctets(file) <= file.count - 44)
        #expect(sound.underruns == 0)
    }

    @Test func theFileIsTheTimeLine() throws {
        let begin = clock.now()
        do {
            let sound = try open("c.wav")
            try write(sound, [Float](repeating: 0.1, count: 960))
            clock.pass(.seconds(3))
            let next = sound.nextAudible() - begin
            try write(sound, [Float](repeating: 0.1, count: 960))
            #expect(sound.underruns == 1)
            let then: Nanoseconds = sound.nextAudible() - begin
            #expect(then - next > .seconds(2))
        }
        let file = try bytes("c.wav")
        let seconds = Double(describedOctets(file)) / 4 / 48_000
        let passed = Double((clock.now() - begin).count) / 1e9
        #expect(abs(seconds - passed) < 0.051)
        #expect(file[(44 + 1_920 + 4)..<(44 + 1_920 + 400_000)].allSatisfy { $0 == 0 })
    }

    @Test func whatComesAfterTheLimitIsCountedAndPaced() throws {
        let begin = clock.now()
        let sound = try open("d.wav", limit: 100)
        for _ in 0..<10 { try write(sound, [Float](repeating: 0, count: 20)) }
        #expect(try bytes("d.wav").count == 44 + 80)
        #expect(sound.droppedFrames == 80)
        #expect(clock.now() - begin > .milliseconds(2))
    }

    @Test func aFileThatCannotBeMadeIsLost() {
        let error = thrown(SoundError.self) { _ = try WAVSound(path: "/nowhere/at/all.wav", clock: clock) }
        #expect(error == .lost(SystemCallError("open /nowhere/at/all.wav", .notFound)))
    }

    private static let probe = "/usr/bin/ffprobe"

    @Test(.enabled(if: Required.file(probe))) func ffprobeReadsIt() throws {
        let path = directory.appending(path: "e.wav").path
        do {
            let sound = try open("e.wav")
            try write(sound, [Float](repeating: 0.25, count: 96_000))
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.probe)
        process.arguments = [
            "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels,duration", "-of", "csv=p=0", path,
        ]
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "pcm_s16le,48000,2,1.000000\n")
    }
}
