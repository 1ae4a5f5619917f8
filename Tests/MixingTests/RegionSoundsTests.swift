// SPDX-License-Identifier: Apache-2.0
import Mixing
import Testing

struct RegionSoundsTests {
    private let sounds = RegionSounds(mix: RegionSound(level: 80), main: "main")
    private let told = Told()

    private final class Told {
        var lines: [String] = []
    }

    init() {
        sounds.regionChanged = { [told] region, sound in told.lines.append(Self.line(region, sound)) }
        sounds.mixChanged = { [told] sound in told.lines.append(Self.line("mix", sound)) }
    }

    private static func line(_ name: String, _ sound: RegionSound) -> String {
        "\(name) \(sound.isMuted ? "muted" : "\(sound.level)")"
    }

    private var taken: [String] {
        defer { told.lines = [] }
        return told.lines
    }

    private func heard(_ regions: String...) -> [String] { regions.map { Self.line($0, sounds.heard(in: $0)) } }

    @Test func mainIsHeardAtFirst() {
        sounds.arrange(["main", "side"], alone: nil)
        #expect(heard("main", "side") == ["main 100", "side muted"])
        #expect(taken.isEmpty, "nothing has changed for who was there")
    }

    @Test func changesAreToldOnce() {
        sounds.changeMix { $0.isMuted = true }
        sounds.changeMix { $0.isMuted = true }
        sounds.change("main") { $0.level = 30 }
        sounds.change("main") { $0.level = 30 }
        #expect(taken == ["mix muted", "main 30"])
        #expect(sounds.mix == RegionSound(level: 80, isMuted: true))
    }

    /// The audible region leaves, so that main is heard again with its own volume.
    @Test func theAudibleRegionLeaves() {
        sounds.arrange(["main", "side"], alone: nil)
        sounds.change("main") { $0.level = 40 }
        #expect(sounds.hearOnly("side") == RegionSound(level: 100))
        #expect(taken == ["main 40", "main muted", "side 100"])
        sounds.arrange(["main"], alone: nil)
        #expect(taken == ["main 40"])
        sounds.arrange(["main", "side"], alone: nil)
        #expect(heard("side") == ["side muted"], "a region that comes again has no memory")
    }

    /// A muted region leaves: what was muted by hand stays muted.
    @Test func silenceByHandStays() {
        sounds.arrange(["main", "side"], alone: nil)
        sounds.change("main") { $0.isMuted = true }
        _ = taken
        sounds.arrange(["main"], alone: nil)
        #expect(heard("main") == ["main muted"] && taken.isEmpty)
    }

    /// One region is heard alone; what is changed meanwhile counts afterwards.
    @Test func oneAlone() {
        sounds.arrange(["main", "exit"], alone: "exit")
        #expect(taken == ["main muted"])
        #expect(heard("main", "exit") == ["main muted", "exit 100"])
        #expect(sounds.change("main") { $0.level = 30 } == RegionSound(level: 30))
        #expect(taken == ["main muted"])
        sounds.arrange(["main"], alone: nil)
        #expect(taken == ["main 30"])
    }
}
