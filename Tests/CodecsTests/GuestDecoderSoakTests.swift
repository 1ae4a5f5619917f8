// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing

@testable import Codecs

/// Nothing is left behind: of a few rounds, or of those that TOUCHLINE_SOAK says.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestDecoderSoakTests {
    private static func rounds(_ few: Int, _ all: Int) -> Int { max(few, all * GuestSoak.percent / 100) }

    /// What is left behind is left each time. In a few rounds more of a program's code may yet come into memory: they have
    /// five goes at a stretch that takes none.
    ///
    /// - Parameters:
    ///   - count: of rounds that are measured; as many go before, a hundred at most: what is kept from then on is kept.
    private func staysFlat(_ count: Int, _ what: String, _ round: (Int) throws -> Void) throws {
        for number in 0..<min(count, 100) { try round(number) }
        var grew = (process: Int.max, kernel: Int.max)
        for _ in 0..<(count > 100 ? 1 : 5) where grew.process >= Self.limit || grew.kernel >= Self.limit {
            let (before, memory) = (try GuestResources(), try GuestResources.memory())
            for number in 0..<count { try round(number) }
            let (after, rest) = (try GuestResources(), try GuestResources.memory())
            print("\(count) \(what): \(after); RSS \(memory.process) then \(rest.process) kB,", terminator: " ")
            print("of the kernel \(memory.kernel) then \(rest.kernel) kB")
            #expect(after == before)
            grew = (rest.process - memory.process, rest.kernel - memory.kernel)
        }
        #expect(grew.process < Self.limit)
        #expect(grew.kernel < Self.limit)
    }

    /// Kilobytes: less than one buffer of pictures.
    private static let limit = 300

    @Test func opensAndCloses() throws {
        let clip = try GuestClip.bars.get()
        try staysFlat(Self.rounds(8, 200), "times opened") { number in
            let drive = try GuestDrive()
            if number % 4 == 3 {
                // In the midst of it, and with a picture that is out.
                try drive.feed(Array(clip.units.prefix(2)))
                let kept = try drive.keep()
                drive.decoder.close()
                #expect(kept == nil || kept?.mark == clip.marks[0])
            } else {
                #expect(try drive.run(Array(clip.units.prefix(2))).map(\.mark) == Array(clip.marks.prefix(2)))
            }
        }
    }

    @Test func changesItsSource() throws {
        let clips = [try GuestClip.bars.get(), try GuestClip.bars601.get()]
        let drive = try GuestDrive()
        var changes = 0
        try staysFlat(Self.rounds(10, 200), "changes of size") { _ in
            let clip = clips[changes % 2]
            changes += 1
            try drive.feed([clip.units[0]])
            try drive.finish()
            #expect(drive.seen.last?.mark == clip.marks[0])
        }
        #expect(drive.decoder.counts.setUps == changes)
    }

    @Test func decodes() throws {
        let clip = try GuestClip.bars.get()
        let drive = try GuestDrive()
        drive.looksAtEach = 7
        var (fed, given, wrong) = (0, 0, 0)
        func look() {
            for picture in drive.takeSeen() {
                if picture.mark != 0, picture.mark != clip.marks[given % 16] { wrong += 1 }
                given += 1
            }
        }
        try staysFlat(Self.rounds(50, 100_000), "pictures") { _ in
            try drive.feed([clip.units[fed % 16]])
            fed += 1
            look()
        }
        try drive.finish()
        look()
        #expect(given == fed && wrong == 0)
    }
}
