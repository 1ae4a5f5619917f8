// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Display

/// Cards that the kernel's `vkms` makes by configfs.
enum ConfiguredCards {
    static let folder = "/sys/kernel/config/vkms"

    /// Linux 6.12's makes none. Where everything is required the test runs and fails.
    static let canBeMade: Bool = {
        guard Guest.isHere else { return false }
        if FileManager.default.fileExists(atPath: folder) { return true }
        print("SKIP: this kernel's vkms makes no cards by configfs: nothing is mirrored")
        return Required.everything
    }()
}

/// PLAY-46: a card with two connectors.
@Suite(.serialized, .enabled(if: ConfiguredCards.canBeMade)) struct GuestMirrorTests {
    private static let folder = ConfiguredCards.folder + "/mirror"

    private static func write(_ text: String, _ path: String) throws {
        let file = try #require(fopen("\(folder)/\(path)", "w"), "\(path): \(String(cString: strerror(errno)))")
        defer { fclose(file) }
        fputs(text, file)
    }

    private static func makeCard() throws -> String {
        let before = Set((try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri")) ?? [])
        let isMade = mkdir(folder, 0o755) == 0
        try #require(isMade, "\(folder): \(String(cString: strerror(errno)))")
        for number in 0...1 {
            for part in ["planes/p", "crtcs/c", "encoders/e", "connectors/k"] {
                try #require(
                    mkdir("\(folder)/\(part)\(number)", 0o755) == 0, "\(part): \(String(cString: strerror(errno)))")
            }
            try write("1", "planes/p\(number)/type")
            for (from, to) in [
                ("planes/p\(number)/possible_crtcs", "crtcs/c\(number)"),
                ("encoders/e\(number)/possible_crtcs", "crtcs/c\(number)"),
                ("connectors/k\(number)/possible_encoders", "encoders/e\(number)"),
            ] {
                let result = symlink("\(folder)/\(to)", "\(folder)/\(from)/one")
                try #require(result == 0, "\(from): \(String(cString: strerror(errno)))")
            }
        }
        try write("1", "enabled")
        let after = try FileManager.default.contentsOfDirectory(atPath: "/dev/dri")
        let card = after.first { $0.hasPrefix("card") && !before.contains($0) }
        let name = try #require(card, "no card was made")
        return "/dev/dri/\(name)"
    }

    @Test func twoScreensAndOnePulledOut() throws {
        let path = try Self.makeCard()
        let group = MirroredScreens(
            ModeRequest(size: PixelSize(width: 1_024, height: 768)), clock: SystemClock.monotonic, poll: { _ in })
        var search = CardSearch(paths: [path])
        func look(isHotplug: Bool = false) throws {
            group.take(.snapshot(try search.probe(for: nil, isHotplug: isHotplug)))
        }
        var shade = UInt8(0)
        func play(_ span: Nanoseconds) {
            let end = SystemClock.monotonic() + span
            while SystemClock.monotonic() < end {
                shade &+= 1
                _ = group.attend(now: SystemClock.monotonic())
                group.compose { $0.fill(blue: shade, green: 0, red: 0) }
                _ = group.present(now: SystemClock.monotonic())
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
            }
        }
        var all: [ScreenStatus] { [group.status] + group.status.mirrors }
        try look()
        play(.seconds(3))
        print(all)
        #expect(all.count == 2 && all.allSatisfy { $0.mode != nil && $0.counters.flips >= 20 })
        try Self.write("2", "connectors/k1/status")
        try look(isHotplug: true)
        let flips = group.status.counters.flips
        play(.seconds(2))
        print(all)
        #expect(group.status.counters.flips >= flips + 20 && all.last?.mode == nil)
        try Self.write("1", "connectors/k1/status")
        try look(isHotplug: true)
        play(.seconds(2))
        print(all)
        #expect(all.allSatisfy { $0.mode != nil && $0.counters.flipsLost + $0.counters.modesetsLost == 0 })
        #expect(all.allSatisfy { $0.counters.commitsRefused <= 2 })
    }
}
