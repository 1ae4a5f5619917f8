// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import RTP
import Time
import TransportStream
import Venue

@testable import Reception

/// Pictures of 1 600 octets in two packets each and AAC of 300 octets, as a sender paces them.
final class ElementaryBench {
    static let sets: [[UInt8]] = [
        // x264's of 640×360, without reordering.
        [
            0x67, 0x42, 0xc0, 0x1e, 0xda, 0x02, 0x80, 0xbf, 0xe5, 0xc0, 0x44, 0x00, 0x00, 0x03, 0x00, 0x04, 0x00, 0x00,
            0x03, 0x00, 0xca, 0x3c, 0x58, 0xba, 0x80,
        ],
        [0x68, 0xce, 0x0f, 0xc8],
    ]
    static let video = ElementaryMedium(
        address: "239.1.1.1", port: 5_004, controlPort: 5_005, payloadType: 96, clockRate: 90_000,
        coding: .h264(parameterSets: sets))
    static let audio = ElementaryMedium(
        address: "239.1.1.1", port: 5_006, controlPort: 5_007, payloadType: 97, clockRate: 48_000,
        coding: .aac(
            ElementaryMedium.AACFormat(
                configuration: [0x11, 0x90], sizeLength: 13, indexLength: 3, indexDeltaLength: 3)))

    let history = HistoryBuffer(span: .seconds(30), capacity: 4 << 20)
    let receiver: ElementaryReceiver
    let media: [ElementaryMedium]
    var now = Monotonic(nanoseconds: 50_000_000_000)
    var pictureSequence: UInt16 = 65_530
    var soundSequence: UInt16 = 7

    init(_ media: [ElementaryMedium] = [video, audio]) {
        self.media = media
        receiver = ElementaryReceiver(media, into: history)
    }

    func send(_ payload: [UInt8], of medium: Int, marker: Bool, sequence: UInt16, timestamp: UInt32) {
        var out = WireWriter()
        RTPHeader.write(
            payloadType: media[medium].payloadType, hasMarker: marker, sequence: sequence, timestamp: timestamp,
            ssrc: UInt32(medium) + 5, to: &out)
        out.write(contentsOf: payload)
        out.bytes.withUnsafeBytes { receiver.datagramReceived($0, of: medium, at: now) }
    }

    /// - Parameter lost: which of its two packets does not come.
    func sendPicture(_ number: Int, isKey: Bool, lost: Int? = nil) {
        let header: UInt8 = isKey ? 0x65 : 0x41
        for part in 0..<2 {
            let flags: UInt8 = (part == 0 ? 0x80 : 0x40) | header & 0x1F
            let front: [UInt8] = [header & 0x60 | 28, flags] + (part == 0 ? [0x88] : [])
            if lost != part {
                send(
                    front + [UInt8](repeating: 0x55, count: 800), of: 0, marker: part == 1, sequence: pictureSequence,
                    timestamp: 4_294_960_000 &+ UInt32(number * 3_600))
            }
            pictureSequence &+= 1
        }
    }

    func sendSound(_ number: Int, of medium: Int = 1) {
        let size = 300
        let front: [UInt8] = [0, 16, UInt8(size >> 5), UInt8(size << 3 & 0xFF)]
        send(
            front + [UInt8](repeating: 0xAA, count: size), of: medium, marker: true, sequence: soundSequence,
            timestamp: 77 &+ UInt32(number * 1_024))
        soundSequence &+= 1
    }

    /// A second each of pictures with sound, from one random-access point to the next.
    func play(seconds: Int, losing lost: Int? = nil, of picture: Int = -1) {
        for number in 0..<seconds * 25 {
            sendPicture(number, isKey: number % 25 == 0, lost: number == picture ? lost : nil)
            if media.count > 1 {
                for sound in number * 48 * 40 / 1_024..<(number + 1) * 48 * 40 / 1_024 { sendSound(sound) }
            }
            receiver.tick(at: now)
            now += .milliseconds(40)
        }
    }

    func found() -> FoundUnits {
        var found = FoundUnits()
        var demultiplexer = TSDemultiplexer()
        var cursor = history.oldest
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: history.largestRecord, alignment: 8)
        defer { buffer.deallocate() }
        while case .record(let record) = history.read(&cursor, into: buffer) {
            demultiplexer.push(datagram: UnsafeRawBufferPointer(rebasing: buffer[..<record.octets]), to: &found)
        }
        return found
    }
}
