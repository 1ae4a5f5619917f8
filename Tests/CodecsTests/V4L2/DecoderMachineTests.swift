// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import TestSupport
import Testing
import Time

@testable import Codecs

@Suite struct DecoderMachineTests {
    private typealias Machine = DecoderMachine

    private let start = Monotonic(nanoseconds: 0)

    /// Decodes, with two buffers of pictures at the device.
    private func decoding() -> Machine {
        var machine = Machine(requestedCoded: 2, requestedSpare: 1)
        for event: Machine.Event in [.begun, .codedFormatSet, .codedBuffersMade(2), .sourceChanged] {
            _ = machine.handle(event, now: start)
        }
        _ = machine.handle(.formatNegotiated(minimum: 1), now: start)
        _ = machine.handle(.picturesMade(V4L2Buffers(count: 2, outliveTheirQueue: true)), now: start)
        return machine
    }

    private func done(_ index: Int, octets: Int = 100, serial: UInt64 = 1, isLast: Bool = false) -> V4L2Done {
        V4L2Done(index: index, octets: octets, serial: serial, isDamaged: false, isLast: isLast)
    }

    @Test func setsUpInOrder() {
        var machine = Machine(requestedCoded: 2, requestedSpare: 1)
        #expect(machine.handle(.begun, now: start) == [.setCodedFormat])
        #expect(machine.handle(.codedFormatSet, now: start) == [.makeCoded(2)])
        #expect(machine.handle(.codedBuffersMade(2), now: start) == [.stream(.coded, isOn: true)])
        #expect(machine.phase == .awaitingHeader && machine.deadline == nil)
        let queued = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start)
        #expect(queued == [.queueCoded(0, octets: 9, serial: 1)])
        #expect(machine.deadline == start + HardwareDecoder.patience)
        #expect(machine.handle(.sourceChanged, now: start) == [.negotiate])
        #expect(machine.handle(.formatNegotiated(minimum: 1), now: start) == [.makePictures(2, generation: 1)])
        let made = machine.handle(.picturesMade(V4L2Buffers(count: 2, outliveTheirQueue: true)), now: start)
        #expect(made == [.queuePicture(0), .queuePicture(1), .stream(.pictures, isOn: true)])
        #expect(machine.phase == .decoding)
    }

    /// The flag counts, whatever else an empty last buffer bears.
    @Test func anEmptyLastBufferIsNoPicture() {
        var machine = decoding()
        _ = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start)
        #expect(machine.handle(.drainAsked, now: start) == [.drain])
        let end = machine.handle(.pictureDone(done(0, octets: 0, isLast: true)), now: start)
        #expect(end.isEmpty)
        #expect(machine.phase == .drained)
    }

    @Test func theEndMayBeTheErrorAlone() {
        var machine = decoding()
        _ = machine.handle(.drainAsked, now: start)
        #expect(machine.handle(.picturesEnded, now: start).isEmpty)
        #expect(machine.phase == .drained)
    }

    /// A change while it drains: the old pictures, a set-up, then the drain anew.
    @Test func drainsBehindAChange() {
        var machine = decoding()
        _ = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start)
        _ = machine.handle(.drainAsked, now: start)
        _ = machine.handle(.sourceChanged, now: start)
        let last = machine.handle(.pictureDone(done(0, octets: 0, isLast: true)), now: start)
        #expect(last == [.stream(.pictures, isOn: false), .freePictures, .negotiate])
        _ = machine.handle(.formatNegotiated(minimum: nil), now: start)
        let made = machine.handle(.picturesMade(V4L2Buffers(count: 1, outliveTheirQueue: true)), now: start)
        #expect(made == [.queuePicture(0), .stream(.pictures, isOn: true), .drain])
        #expect(machine.phase == .draining)
    }

    @Test func flushesBothQueues() {
        var machine = decoding()
        _ = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start)
        let flush = machine.handle(.flushAsked, now: start)
        #expect(flush == [.stream(.pictures, isOn: false), .stream(.coded, isOn: false), .readEvents])
        let on = machine.handle(.eventsRead(hasSourceChange: false), now: start)
        #expect(
            on == [
                .stream(.coded, isOn: true), .queuePicture(0), .queuePicture(1), .stream(.pictures, isOn: true),
            ])
        // Its driver did not forget: the picture of before is nobody's.
        let queued = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start)
        #expect(queued == [.queueCoded(0, octets: 9, serial: 2)])
        #expect(machine.handle(.pictureDone(done(1)), now: start) == [.queuePicture(1)])
        #expect(machine.counts.stale == 1)
    }

    /// vicodec keeps the last buffer where a unit in it is not whole, also behind an end; or only what was in it.
    @Test(arguments: [false, true]) func whatIsKeptBehindAnEndIsTakenBack(isTaken: Bool) {
        var machine = decoding()
        for _ in 0...1 { _ = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start) }
        _ = machine.handle(.drainAsked, now: start)
        _ = machine.handle(.pictureDone(done(0, octets: 0, isLast: true)), now: start)
        #expect(machine.phase == .drained && machine.freeCodedBuffer == nil)
        for index in 0...1 where isTaken {
            let done = V4L2Done(index: index, octets: 0, serial: 0, isDamaged: false, isLast: false)
            _ = machine.handle(.codedDone(done), now: start)
        }
        let both = machine.handle(.resumeAsked, now: start)
        #expect(both == [.stream(.pictures, isOn: false), .stream(.coded, isOn: false), .readEvents])
        _ = machine.handle(.eventsRead(hasSourceChange: false), now: start)
        #expect(machine.phase == .decoding && machine.counts.flushes == 0)
        let queued = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start)
        #expect(queued == [.queueCoded(0, octets: 9, serial: 3)])
    }

    @Test func owesNothingWithoutBuffers() {
        var machine = decoding()
        _ = machine.handle(.unitOffered(octets: 9, isPicture: true), now: start)
        #expect(machine.deadline != nil)
        for index in 0...1 { _ = machine.handle(.pictureDone(done(index)), now: start) }
        #expect(machine.deadline == nil)
        let later = start + .seconds(60)
        let ticket = Machine.PictureTicket(index: 0, generation: 1)
        #expect(machine.handle(.pictureReturned(ticket), now: later) == [.queuePicture(0)])
        #expect(machine.deadline == later + HardwareDecoder.patience)
        #expect(machine.handle(.pictureReturned(ticket), now: later).isEmpty)  // twice is once
    }

    private static let errors = [ENOMEM, EIO, ENODEV, EBUSY, EPIPE]

    /// What the caller or a device does in whatever order: no trap, no buffer in two places, an end that stays.
    @Test(arguments: Effort.batches(1_000)) func anyOrder(seeds: ClosedRange<UInt64>) {
        for seed in seeds { anyOrder(seed) }
    }

    private func anyOrder(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var machine = Machine(
            requestedCoded: .random(in: 1...4, using: &random), requestedSpare: .random(in: 0...4, using: &random))
        var asked: [Machine.Action] = machine.handle(.begun, now: start)
        var now = start
        var queued: Set<Int> = []
        var faults: [String] = []
        for _ in 0..<200 where !machine.isOver {
            now += .milliseconds(.random(in: 0...40, using: &random))
            let event = Self.event(after: asked.last, for: machine, &random)
            if case .pictureDone(let done) = event { queued.remove(done.index) }
            asked = machine.handle(event, now: now)
            if asked.count > Machine.mostBuffers + 4 { faults.append("\(asked.count) actions") }
            for action in asked {
                switch action {
                case .queuePicture(let index):
                    if !queued.insert(index).inserted { faults.append("\(index) is queued twice") }
                case .stream(.pictures, false), .freePictures, .shutDown: queued = []
                default: break
                }
            }
            let owned = Set(machine.pictures.indices.filter { machine.pictures[$0] == .device })
            if !machine.isOver, owned != queued { faults.append("\(event): the device has \(queued), not \(owned)") }
            if machine.isOver, asked.last != .shutDown { faults.append("\(event): no end") }
        }
        let isOver = machine.fault != nil || asked == [.shutDown]
        if machine.handle(.closeAsked, now: now).isEmpty != isOver { faults.append("closed without an end") }
        if !machine.handle(.unitOffered(octets: 1, isPicture: true), now: now).isEmpty { faults.append("takes more") }
        #expect(faults.isEmpty && machine.isOver, "seed \(seed)")
    }

    private static func event(
        after asked: Machine.Action?, for machine: Machine, _ random: inout SplitMix64
    ) -> Machine.Event {
        switch Int.random(in: 0..<200, using: &random) {
        case 0: return .closeAsked
        case 1: return .unsuitable(.outOfMemory)
        default: break
        }
        if let asked, Int.random(in: 0..<30, using: &random) == 0 {
            let code = errors.randomElement(using: &random) ?? EIO
            return .refused(asked, SystemCallError("call", Errno(rawValue: code)))
        }
        switch asked {
        case .setCodedFormat: return .codedFormatSet
        case .makeCoded(let count): return .codedBuffersMade(count)
        case .negotiate: return .formatNegotiated(minimum: .random(in: 0...5, using: &random))
        case .makePictures(let count, _):
            return .picturesMade(V4L2Buffers(count: count, outliveTheirQueue: .random(using: &random)))
        case .readEvents: return .eventsRead(hasSourceChange: .random(using: &random))
        default: break
        }
        // Now and then an index that is nobody's.
        let index = Int.random(in: 0..<60, using: &random) == 0 ? 99 : nil
        let owned = machine.pictures.indices.filter { machine.pictures[$0] == .device }
        switch Int.random(in: 0..<200, using: &random) / 8 {
        case 0: return .flushAsked
        case 1: return .drainAsked
        case 2, 3: return .sourceChanged
        case 4: return .picturesEnded
        case 5: return .ticked
        case 6: return .resumeAsked
        case 7...12: return .unitOffered(octets: 10, isPicture: true)
        case 13...16:
            let busy = machine.coded.indices.filter { machine.coded[$0] }
            let chosen = index ?? busy.randomElement(using: &random) ?? 0
            return .codedDone(V4L2Done(index: chosen, octets: 0, serial: 0, isDamaged: false, isLast: false))
        case 17...20:
            return .pictureDone(
                V4L2Done(
                    index: index ?? owned.randomElement(using: &random) ?? 0,
                    octets: .random(in: 0...1, using: &random),
                    serial: .random(in: 0...machine.nextSerial, using: &random), isDamaged: .random(using: &random),
                    isLast: .random(in: 0..<4, using: &random) == 0))
        default:
            return .pictureReturned(
                Machine.PictureTicket(
                    index: .random(in: 0...5, using: &random),
                    generation: machine.generation - .random(in: 0...1, using: &random)))
        }
    }
}
