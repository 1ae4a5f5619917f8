// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Time

@testable import TransportStream

/// How a head-end multiplexes, made of a seed: what senders do differently from ours, each within what receivers take.
struct Multiplex: CustomStringConvertible {
    /// Pictures a second.
    let rate: Int64
    /// How long before its decoding time a picture is complete, at least; how much earlier others are, and how fast that
    /// changes.
    let pictureSlack: Nanoseconds
    var swing: Nanoseconds
    let swingPeriod: Nanoseconds
    /// How long before its presentation a PES packet of sound is complete.
    let soundSlack: Nanoseconds
    /// Frames of sound of 24 ms in a PES packet, and pictures.
    let framesPerPES: Int
    let picturesPerPES: Int
    let clockInterval: Nanoseconds
    /// By how much the clock references are ahead of the time stamps: nothing, so much that they say nothing of them, or nil
    /// if there are no references.
    var referenceLead: Nanoseconds?
    /// When they come.
    var referenceTimes = Nanoseconds.zero ..< .seconds(1_000)
    /// Whether the clock references have a PID of their own.
    let hasClockPID: Bool
    /// Whether packets without payload raise the counter.
    let raisesCounters: Bool
    /// Whether the map's last entry reaches beyond it.
    let hasWrongLength: Bool
    /// Whether every PES packet's time stamps have another prefix.
    let hasOtherPrefix: Bool
    /// Packets of a PID that no map lists, for each picture.
    let foreign: Int
    /// Octets of a datagram: whole packets, or not.
    let datagram: Int
    var copies: Int
    /// What is announced of a PES packet of sound: nothing, all, half of it, or more than there is.
    let soundLength: Int
    /// Time stamps and the clock at the beginning, 90 kHz.
    var origin: Int64

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        rate = [25, 50, 10].randomElement(using: &random) ?? 25
        pictureSlack = .milliseconds(.random(in: 40...2_500, using: &random))
        swing = Bool.random(using: &random) ? .zero : .milliseconds(.random(in: 50...1_500, using: &random))
        swingPeriod = .milliseconds(.random(in: 8_000...20_000, using: &random))
        soundSlack = .milliseconds(.random(in: 40...2_500, using: &random))
        framesPerPES = .random(in: 1...12, using: &random)
        picturesPerPES = Int.random(in: 0..<4, using: &random) == 0 ? .random(in: 2...8, using: &random) : 1
        clockInterval = .milliseconds(.random(in: 15...95, using: &random))
        hasClockPID = .random(using: &random)
        raisesCounters = Int.random(in: 0..<4, using: &random) == 0
        hasWrongLength = Int.random(in: 0..<4, using: &random) == 0
        hasOtherPrefix = Int.random(in: 0..<4, using: &random) == 0
        foreign = .random(in: 0...3, using: &random)
        let isCut = Int.random(in: 0..<4, using: &random) == 0
        datagram = isCut ? .random(in: 400...1_472, using: &random) : 188 * .random(in: 1...7, using: &random)
        copies = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
        origin = Int64.random(in: 0..<(1 << 33), using: &random)
        let isRight = Int.random(in: 0..<4, using: &random) > 0
        soundLength = isRight ? 100 : [0, 50, 150].randomElement(using: &random) ?? 0
        // Those of the map and of others that nobody lists are elsewhere.
        var numbers = Array(0x20..<0x700 as Range<UInt16>)
        numbers.shuffle(using: &random)
        (video, audio, clock) = (numbers[0], numbers[1], numbers[2])
        let most = max(1, Int(rate) * 7 / 10 / picturesPerPES)
        packetsPerStamp = Int.random(in: 0..<4, using: &random) == 0 ? .random(in: 1...most, using: &random) : 1
        let leads: [Nanoseconds?] = [nil, .seconds(46), .zero, .zero, .zero, .zero, .zero, .zero]
        referenceLead = leads[Int.random(in: 0..<leads.count, using: &random)]
        // Without them nobody can tell what the multiplexer held back from what the network did.
        if referenceLead != .zero { swing = .zero }
    }

    var description: String {
        "pictures \(rate)/s \(picturesPerPES) a PES packet \(pictureSlack.milliseconds)+\(swing.milliseconds) ms ahead, "
            + "sound \(soundSlack.milliseconds) ms by \(framesPerPES), PCR each \(clockInterval.milliseconds) ms "
            + (referenceLead == .zero ? "" : referenceLead == nil ? "missing " : "that say nothing ")
            + "\(hasClockPID ? "apart" : "with pictures"), \(raisesCounters ? "raised counters, " : "")"
            + "\(soundLength) % of sound announced, \(hasWrongLength ? "wrong length, " : "")"
            + "\(hasOtherPrefix ? "other prefix, " : "")\(foreign) foreign, "
            + "stamps by \(packetsPerStamp), datagrams of \(datagram) twice: \(copies == 2)"
    }

    private let video: UInt16
    private let audio: UInt16
    private let clock: UInt16
    /// Of how many PES packets of pictures one has time stamps, which are at most 0.7 s apart.
    var packetsPerStamp: Int

    /// A datagram and when it is sent, on the clock of the time stamps, which begins at zero.
    struct Datagram {
        var time: Nanoseconds
        var octets: [UInt8]
    }

    private struct Piece {
        var time: Nanoseconds
        var pid: UInt16
        var startsUnit = false
        var isRandomAccess = false
        var reference: Nanoseconds?
        var payload: ArraySlice<UInt8> = []
    }

    // MARK: What is sent

    func ticks(_ time: Nanoseconds) -> Int64 { (origin + TickRate.mpeg.ticks(time)) & (1 << 33 - 1) }

    /// Presentation time of picture N, which is its decoding time.
    func presentation(ofPicture number: Int64) -> Nanoseconds { pictureLead + .seconds(number) / rate }

    /// How many pictures come before it is known how long each lasts, if that has to be known. 25 a second are assumed.
    var picturesOfUnknownSpan: Int {
        let perStamp = picturesPerPES * packetsPerStamp
        return rate == 25 || perStamp == 1 ? 0 : perStamp
    }

    /// Whether references say what the time stamps mean, from the beginning.
    var hasReferences: Bool { referenceLead == .zero && referenceTimes.lowerBound == .zero }

    /// The longest time from one stamp of a picture to the next.
    var stampInterval: Nanoseconds { .seconds(Int64(picturesPerPES * packetsPerStamp)) / rate }

    /// How long a PES packet of sound lasts.
    var soundSpan: Nanoseconds { .milliseconds(24 * Int64(framesPerPES)) }

    func presentation(ofSound number: Int64) -> Nanoseconds { soundLead + .milliseconds(24 * number) }

    /// Sound and pictures of one instant are there from the beginning.
    private var pictureLead: Nanoseconds { max(pictureSlack + swing, soundSlack) + .milliseconds(500) }
    private var soundLead: Nanoseconds { pictureLead }

    /// When picture N has been sent.
    func end(ofPicture number: Int64) -> Nanoseconds {
        let time = presentation(ofPicture: number)
        // A triangle, which is never steeper than half the time.
        let place = time.nanosecondsSince(swingPeriod)
        let share = min(place, swingPeriod - place)
        let height = min(swing, swingPeriod / 4)
        let ahead = Nanoseconds(height.count / 1_000 * (share.count / 1_000) / max(1, swingPeriod.count / 2_000_000))
        return time - pictureSlack - min(ahead, swing)
    }

    /// All datagrams of the first seconds.
    func datagrams(seconds: Int64) -> [Datagram] {
        var pieces = tables(seconds) + clockReferences(seconds) + pictures(seconds) + sounds(seconds)
        // In order of time, and of one instant as they were made.
        let order = pieces.indices.sorted {
            pieces[$0].time == pieces[$1].time ? $0 < $1 : pieces[$0].time < pieces[$1].time
        }
        pieces = order.map { pieces[$0] }
        var (counters, octets, sent) = ([UInt16: UInt8](), [UInt8](), [Datagram]())
        for piece in pieces {
            octets += packet(piece, &counters)
            while octets.count >= datagram {
                for _ in 0..<copies { sent.append(Datagram(time: piece.time, octets: Array(octets.prefix(datagram)))) }
                octets.removeFirst(datagram)
            }
        }
        return sent
    }

    private func packet(_ piece: Piece, _ counters: inout [UInt16: UInt8]) -> [UInt8] {
        let hasPayload = !piece.payload.isEmpty
        let last = counters[piece.pid] ?? 15
        let counter = hasPayload || raisesCounters ? (last + 1) & 0xF : last
        counters[piece.pid] = counter
        let reference = piece.reference.map { UInt64((ticks($0) * 300) % (1 << 33 * 300)) }
        var out = WireWriter()
        let written = TSPacketWriter(
            pid: piece.pid, startsUnit: piece.startsUnit, counter: counter, isRandomAccess: piece.isRandomAccess,
            pcr: reference
        ).write(available: piece.payload.count, to: &out)
        return out.bytes + piece.payload.prefix(written)
    }

    /// - Parameter end: when its last packet is sent.
    private func pieces(
        of unit: [UInt8], on pid: UInt16, from begin: Nanoseconds, to end: Nanoseconds, isRandomAccess: Bool = false
    ) -> [Piece] {
        var (rest, made) = (unit[...], [Piece]())
        while !rest.isEmpty {
            let size = min(rest.count, made.isEmpty && isRandomAccess ? 182 : 184)
            made.append(
                Piece(
                    time: end, pid: pid, startsUnit: made.isEmpty, isRandomAccess: made.isEmpty && isRandomAccess,
                    payload: rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        for index in made.indices { made[index].time = begin + (end - begin) / Int64(made.count) * Int64(index + 1) }
        return made
    }

    /// - Parameter announced: of its length, per cent.
    private func pes(_ streamID: UInt8, at time: Nanoseconds?, _ data: [UInt8], announced: Int) -> [UInt8] {
        guard let time else { return [0, 0, 1, streamID, 0, 0, 0x84, 0, 0] + data }
        var out = WireWriter()
        PESHeader.write(streamID: streamID, pts: ticks(time), dts: nil, dataCount: data.count, to: &out)
        var bytes = out.bytes
        let length = (Int(bytes[4]) << 8 | Int(bytes[5])) * announced / 100
        (bytes[4], bytes[5]) = (UInt8(length >> 8), UInt8(length & 0xFF))
        if hasOtherPrefix { bytes[9] |= 0x80 }
        return bytes + data
    }

    private func tables(_ seconds: Int64) -> [Piece] {
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        var map = PMT(
            programNumber: 1, pcrPID: hasClockPID ? clock : video,
            streams: [
                ElementaryStream(type: 0x1B, pid: video), ElementaryStream(type: 0x03, pid: audio),
            ] + (hasWrongLength ? [ElementaryStream(type: 0x06, pid: 0x1005)] : [])
        ).section(version: 0)
        if hasWrongLength {
            map[map.count - 5] = 100
            map = Array(map.dropLast(4))
            var out = WireWriter()
            out.write(CRC32MPEG.checksum(of: map))
            map += out.bytes
        }
        return stride(from: Int64(0), to: seconds * 1_000, by: 90).flatMap { time -> [Piece] in
            let time = Nanoseconds.milliseconds(time)
            return [
                Piece(time: time, pid: 0, startsUnit: true, payload: padded([0] + association.section(version: 0))),
                Piece(time: time, pid: 0x1000, startsUnit: true, payload: padded([0] + map)),
            ]
        }
    }

    private func padded(_ section: [UInt8]) -> ArraySlice<UInt8> {
        (section + [UInt8](repeating: 0xFF, count: 184 - section.count))[...]
    }

    private func clockReferences(_ seconds: Int64) -> [Piece] {
        guard let referenceLead else { return [] }
        return (0..<(Nanoseconds.seconds(seconds).count / clockInterval.count)).map { number in
            let time = clockInterval * number
            return Piece(time: time, pid: hasClockPID ? clock : video, reference: time + referenceLead)
        }.filter { referenceTimes.contains($0.time) }
    }

    private func pictures(_ seconds: Int64) -> [Piece] {
        var (made, number) = ([Piece](), Int64(0))
        while end(ofPicture: number) < .seconds(seconds) {
            var data: [UInt8] = []
            let begin = number == 0 ? Nanoseconds.zero : end(ofPicture: number - 1)
            let first = number
            for _ in 0..<picturesPerPES {
                data += picture(number)
                number += 1
            }
            let hasStamp = Int(first) / picturesPerPES % packetsPerStamp == 0
            let unit = pes(0xE0, at: hasStamp ? presentation(ofPicture: first) : nil, data, announced: 0)
            made += pieces(
                of: unit, on: video, from: max(begin, end(ofPicture: first) - .milliseconds(80)),
                to: end(ofPicture: first), isRandomAccess: first % 25 == 0)
            for index in 0..<foreign {
                made.append(Piece(time: end(ofPicture: first), pid: 0x700 + UInt16(index), payload: padded([1, 2, 3])))
            }
        }
        return made
    }

    private func picture(_ number: Int64) -> [UInt8] {
        let slice: UInt8 = number % 25 == 0 ? 0x65 : 0x41
        let size = number % 25 == 0 ? 3_000 : 400 + Int(number % 7) * 100
        return [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, slice, 0x88] + filler(size, number)
    }

    /// Silence and filler are the same again and again. Where datagrams come twice, nobody can tell that from it.
    private func filler(_ count: Int, _ number: Int64) -> [UInt8] {
        guard copies > 1 else { return [UInt8](repeating: 0x55, count: count) }
        let start = UInt64(number) &* 1_000_003
        return (0..<count).map { index -> UInt8 in
            let mixed = (start &+ UInt64(index)) &* 0x9E37_79B9_7F4A_7C15
            return UInt8(mixed >> 56) % 251 + 4
        }
    }

    private func sounds(_ seconds: Int64) -> [Piece] {
        var (made, number) = ([Piece](), Int64(0))
        while presentation(ofSound: number) - soundSlack < .seconds(seconds) {
            var data: [UInt8] = []
            for frame in 0..<framesPerPES {
                data += [0xFF, 0xFD, 0x54, 0x04]
                data += filler(284, number + Int64(frame))
            }
            let time = presentation(ofSound: number)
            let unit = pes(0xC0, at: time, data, announced: soundLength)
            let end = time - soundSlack
            made += pieces(of: unit, on: audio, from: max(.zero, end - .milliseconds(10)), to: end)
            number += Int64(framesPerPES)
        }
        return made
    }
}

extension Nanoseconds {
    /// The remainder of a division by a period.
    fileprivate func nanosecondsSince(_ period: Nanoseconds) -> Nanoseconds { Nanoseconds(count % period.count) }
}
