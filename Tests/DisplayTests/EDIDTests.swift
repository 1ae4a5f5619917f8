// SPDX-License-Identifier: Apache-2.0
import Bytes
import Scene
import TestSupport
import Testing
import Time

@testable import Display

struct EDIDTests {
    @Test func television() throws {
        let screen = try ScreenVector.fullHD.screen()
        #expect(screen.vendor == "TLN" && screen.product == 0x1080 && screen.serial == 0x0a0b_0c0d)
        #expect(screen.revision == 3 && screen.isDigital && screen.name == "TOUCHLINE FHD" && screen.serialText == nil)
        let preferred = try #require(screen.preferred)
        #expect(preferred.size == PixelSize(width: 1_920, height: 1_080) && preferred.refresh == FrameRate(60))
        #expect(preferred.total == PixelSize(width: 2_200, height: 1_125) && preferred.clock == 148_500)
        #expect(
            screen.timings.map { "\($0.size)\($0.isInterlaced ? "i" : "")@\($0.refresh)" } == [
                "1920x1080@60", "1280x720@50", "1920x1080@50", "1920x1080i@50", "720x576@50",
            ])
        let television = try #require(screen.television)
        #expect(screen.faults.isEmpty && television.revision == 3 && television.hasSound)
        #expect(!television.takesYCbCr444 && !television.takesYCbCr422)
        #expect(television.videoCodes.map(\.code) == [16, 31, 20, 5, 4, 19, 2, 3, 17, 18, 32, 33, 34, 1])
        #expect(television.videoCodes.map(\.isNative) == [true] + Array(repeating: false, count: 13))
        #expect(television.sound.count == 1 && television.sound[0].coding == .pcm(bits: [16, 20, 24]))
        #expect(television.sound[0].channels == 2 && television.sound[0].rates == [32_000, 44_100, 48_000])
        #expect(television.speakers == .front && television.physicalAddress == 0x1000 && television.mostTMDS == 150)
        #expect(television.transfers == nil && television.colorimetry.isEmpty)
    }

    @Test func televisionOfTheNextKind() throws {
        let screen = try ScreenVector.ultraHD.screen()
        #expect(screen.name == "UHD" && screen.preferred?.size == PixelSize(width: 3_840, height: 2_160))
        #expect(screen.preferred?.refresh == FrameRate(60))
        let television = try #require(screen.television)
        #expect(television.videoCodes.map(\.code).suffix(2) == [34, 101] && television.takesYCbCr444)
        #expect(television.sound.map(\.coding) == [.pcm(bits: [16, 20, 24]), .ac3, .eac3, .dts])
        #expect(television.sound.map(\.channels) == [8, 6, 8, 6] && television.sound[0].rates.count == 7)
        #expect(television.speakers == [.front, .lowFrequency, .centre, .back, .init(rawValue: 0x50)])
        // HDMI's block says 300, the Forum's 600.
        #expect(television.mostTMDS == 600 && television.physicalAddress == 0x2000)
        #expect(television.transfers == [.sdr, .pq, .hlg])
        #expect(television.colorimetry == [.xvYCC601, .xvYCC709, .bt2020YCC, .bt2020RGB])
    }

    @Test func screenOfADesk() throws {
        let screen = try ScreenVector.office.screen()
        #expect(screen.name == "OFFICE 24" && screen.serialText == "A0000000077" && screen.serial == 77)
        #expect(screen.revision == 4 && screen.television == nil)
        #expect(screen.preferred?.refresh.isAlmost(FrameRate(59_950, per: 1_000)) == true)
        // What follows is not read.
        #expect(try ScreenVector.parse(ScreenVector.office.octets() + [1, 2, 3]) == screen)
    }

    @Test func refusals() throws {
        func error(_ vector: ScreenVector, _ place: Int, _ octet: UInt8) -> WireError? {
            thrown(WireError.self) { try ScreenVector.parse(vector.changed(place, to: octet)) }
        }
        #expect(error(.office, 0, 1)?.offset == 0)
        #expect(error(.office, 18, 2)?.offset == 18)
        var octets = try ScreenVector.office.octets()
        octets[40] ^= 1
        #expect(thrown(WireError.self) { try ScreenVector.parse(octets) }?.offset == 127)
        // An extension that is not there.
        #expect(error(.office, 126, 1)?.offset == 128)
        #expect(error(.fullHD, 126, 255)?.offset == 256)
    }

    /// What is wrong in an extension hides nothing of the rest: there are televisions whose sums are wrong.
    @Test func faultsOfExtensions() throws {
        var octets = try ScreenVector.fullHD.octets()
        octets[200] ^= 1
        let screen = try ScreenVector.parse(octets)
        #expect(screen.faults.map(\.offset) == [255] && screen.television == nil && screen.timings.count == 2)
        // Timings before the blocks or behind the end; a block longer than they have room for.
        for (place, octet) in [(130, 3), (130, 128), (132, 0xff)] as [(Int, UInt8)] {
            let screen = try ScreenVector.parse(ScreenVector.fullHD.changed(place, to: octet))
            #expect(screen.faults.count == 1 && screen.television == nil, "\(place)")
        }
        // Neither blocks nor timings; of another kind.
        #expect(try ScreenVector.parse(ScreenVector.fullHD.changed(130, to: 0)).television?.videoCodes == [])
        let other = try ScreenVector.parse(ScreenVector.fullHD.changed(128, to: 0x70))
        #expect(other.television == nil && other.faults.isEmpty)
        // Of revision 1, which has no blocks.
        let old = try ScreenVector.parse(ScreenVector.fullHD.changed(129, to: 1))
        #expect(old.television?.videoCodes == [] && old.timings.count == 5)
    }

    /// What the box takes for another television: its own data, not the mode in which it is.
    @Test func screensAreToldApart() throws {
        let screen = try ScreenVector.fullHD.screen()
        #expect(try ScreenVector.fullHD.screen() == screen)
        #expect(try ScreenVector.ultraHD.screen() != screen)
        #expect(try ScreenVector.parse(ScreenVector.fullHD.changed(12, to: 1)) != screen)
    }

    @Test func labels() throws {
        #expect(try ScreenVector.fullHD.screen().label == "TLN TOUCHLINE FHD")
        // Its name's kind, at 111, made another.
        let nameless = try ScreenVector.parse(ScreenVector.office.changed(111, to: 0x10))
        #expect(nameless.name == nil && nameless.label == "TLN 1200")
    }

    @Test func textThatIsNone() throws {
        // The name's octets from 113 on.
        #expect(try ScreenVector.parse(ScreenVector.fullHD.changed(113, to: 0x0a)).name == nil)
        #expect(try ScreenVector.parse(ScreenVector.fullHD.changed(114, to: 0xc3)).name == "T?UCHLINE FHD")
    }

    @Test(arguments: ScreenVector.allCases) func truncation(vector: ScreenVector) throws {
        let octets = try vector.octets()
        for count in octets.indices {
            let error = thrown(WireError.self) { try ScreenVector.parse(Array(octets[..<count])) }
            #expect(error != nil && (error?.offset ?? .max) <= count, "\(count) octets")
        }
    }

    @Test func mutationsNeverTrap() throws {
        let all = try ScreenVector.allCases.map { try $0.octets() }
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            for octets in all {
                let damaged = mutation.damage(octets)
                for octets in [damaged, ScreenVector.summed(damaged)] {
                    guard let screen = try? ScreenVector.parse(octets) else { continue }  // refusing is an answer
                    #expect(screen.timings.allSatisfy { $0.refresh.pictures > 0 })
                }
            }
        }
    }
}
