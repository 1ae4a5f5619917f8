// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Testing

@testable import Sound

@Suite struct WAVSoundTests {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func write(_ sound: WAVSound, _ samples: [Float], rate: Int = 48_000, channels: Int = 2) throws {
        try samples.withUnsafeBufferPointer {
            try sound.write(AudioBlock(sampleRate: rate, channels: channels, samples: $0, pts: nil))
        }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appending(path: name)))
    }

    @Test func samplesAreClippedAndLittleEndian() throws {
        let sound = WAVSound(path: directory.appending(path: "a.wav").path)
        try write(sound, [0, 0.5, 1, -1, 7, -.infinity, .nan, 0])
        try sound.close()
        let file = try bytes("a.wav")
        #expect(file.count == 44 + 16)
        #expect(file[40..<44].elementsEqual([16, 0, 0, 0]))
        let values = stride(from: 44, to: 60, by: 2).map {
            Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8)
        }
        #expect(values == [0, 16_383, 32_767, -32_767, 32_767, -32_767, 0, 0])
    }

    @Test func aFileThatNobodyClosedDescribesAllButItsLastSecond() throws {
        let sound = WAVSound(path: directory.appending(path: "b.wav").path)
        for _ in 0..<250 { try write(sound, [Float](repeating: 0.1, count: 960)) }  // 2.5 s
        let file = try bytes("b.wav")
        let described = file[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(described >= 2 * 48_000 * 4 && described <= file.count - 44)
        try sound.close()
    }

    @Test func anotherFormatBeginsAnotherFile() throws {
        let sound = WAVSound(path: directory.appending(path: "c.wav").path)
        try write(sound, [0, 0])
        try write(sound, [0, 0, 0], rate: 44_100, channels: 1)
        try write(sound, [0, 0])
        try sound.close()
        #expect(sound.paths.map { $0.split(separator: "/").last } == ["c.wav", "c-2.wav", "c-3.wav"])
        #expect(try bytes("c-2.wav").count == 44 + 6)
    }

    @Test func whatComesAfterTheLimitIsCounted() throws {
        let sound = WAVSound(path: directory.appending(path: "d.wav").path, limit: 100)
        for _ in 0..<10 { try write(sound, [Float](repeating: 0, count: 20)) }
        try sound.close()
        #expect(try bytes("d.wav").count == 44 + 80)
        #expect(sound.droppedFrames == 80)
    }

    @Test func ffprobeReadsIt() throws {
        let probe = "/usr/bin/ffprobe"
        guard FileManager.default.isExecutableFile(atPath: probe) else {
            print("SKIPPED: no \(probe); install ffmpeg to run WAVSoundTests.ffprobeReadsIt")
            return
        }
        let path = directory.appending(path: "e.wav").path
        let sound = WAVSound(path: path)
        try write(sound, [Float](repeating: 0.25, count: 96_000))
        try sound.close()
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: probe)
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
