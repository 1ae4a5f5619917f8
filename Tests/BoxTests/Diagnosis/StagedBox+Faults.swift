// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import JSON
import System
import TestSupport

@testable import Box

extension StagedBox {
    /// Boxes with nothing wrong: one with screen and sound, one without either, one that plays a channel of the settings,
    /// one that has nothing tuned.
    static let healthy = [
        StagedBox(nil, "screen and sound", screen.merging(patch: card)), StagedBox(nil, "headless"),
        StagedBox(nil, "channel of the settings", channel(.good).merging(patch: ["announcements": ["groups": []]])),
        StagedBox(nil, "nothing tuned", ["playback": ["autoTune": .null]]),
    ]

    static let faulty = ofMachine + ofNetwork + ofLineUp + ofStreams + ofOutput

    private static let ofMachine = [
        StagedBox(.power, "too little voltage") { _, options in
            try StagedMachine.change(&options, ["/sys/class/hwmon/hwmon0/in0_lcrit_alarm": "1"])
        },
        StagedBox(.processor, "too hot") { _, options in
            try StagedMachine.change(&options, ["/sys/class/thermal/thermal_zone0/temp": "89000"])
        },
        StagedBox(.processor, "no memory left") { _, options in
            try StagedMachine.change(&options, ["/proc/meminfo": "MemTotal: 1048576 kB\nMemAvailable: 4096 kB\n"])
        },
        StagedBox(
            .storage, "disk full",
            prepare: { _, options in
                // Beside the directory of the box, where its end does not look.
                options.stateDirectory = DurableFile.parent(of: options.configuration) + ".full"
                try DurableFile.makeDirectory(options.stateDirectory)
                guard SmallDisk.mount(at: options.stateDirectory, kibibytes: 512) else { throw OwnNetwork.Refused() }
            },
            hurt: { _, box in
                // It ends when there is no room left.
                OwnNetwork.shell("dd if=/dev/zero of=\(box.directory).full/fill bs=4k 2>/dev/null")
            }),
    ]

    private static let ofNetwork = [
        StagedBox(
            .display, "no screen", screen, prepare: { hardware, _ in hardware.screen.change { $0.isConnected = false } }
        ),
        StagedBox(
            .display, "screen pulled", screen,
            hurt: { hardware, _ in hardware.screen.change { $0.isConnected = false } }),
        StagedBox(.link, "interface that is not there", ["network": ["interface": "eth7"]]),
        StagedBox(.link, "interface switched off", ["network": ["interface": "off0"]]),
        StagedBox(.link, "no carrier", ["network": ["interface": "dark0"]]),
        StagedBox(.address, "no address", ["network": ["interface": "bare0"]]),
        StagedBox(.multicast, "no route for groups", ["network": ["interface": .null]]),
    ]

    private static let ofLineUp = [
        StagedBox(.announcements, "nothing announced", announcer: .silent),
        StagedBox(
            .announcements, "head-end died", ["announcements": ["pruneMinimumMs": 1_000]], announcer: .mortal,
            hurt: { hardware, _ in hardware.venue.killHeadEnd() }),
        StagedBox(.announcements, "wrong interface", ["network": ["interface": "box0"]]),
        StagedBox(.announcements, "malformed announcements", announcer: .malformed),
        StagedBox(
            .announcements, "head-end denied",
            ["announcements": ["deny": ["127.0.0.1", "10.0.0.1", "10.0.0.2", "10.9.0.1"]]]),
        StagedBox(.announcements, "channel not announced", ["playback": ["autoTune": "Nine"]]),
        StagedBox(.licence, "another venue", announcer: .ofAnotherVenue),
    ]

    private static let ofStreams = [
        StagedBox(.stream, "announced, nothing sent", announcer: .ofSilentStream),
        StagedBox(.stream, "another port", channel(.silent)),
        StagedBox(.stream, "another group", channel(.good, ["address": "239.255.77.99"])),
        StagedBox(.stream, "wrong payload type", channel(.good, ["payloadType": 96])),
        StagedBox(.stream, "scrambled", channel(.scrambled)),
        StagedBox(.stream, "no tables", channel(.withoutTables)),
        StagedBox(.stream, "program missing", channel(.good, ["program": 77])),
        StagedBox(.repair, "a fifth lost, no repair", channel(.lossy)),
        StagedBox(.repair, "loss beyond repair", channel(.lossy, ["repair": ["scheme": "parity", "spanMs": 500]])),
        StagedBox(.decoder, "unknown codec", channel(.ofUnknownCodec)),
        StagedBox(
            .decoder, "decoder fails", ["playback": ["decoding": "hardware"]],
            prepare: { hardware, _ in hardware.device.mode.set(.fails) }),
    ]

    private static let ofOutput = [
        StagedBox(
            .plane, "card refuses pictures", screen,
            hurt: { hardware, _ in hardware.screen.change { $0.refusedCommits = 1_000_000 } }),
        StagedBox(.sound, "no sound card", card, prepare: { hardware, _ in hardware.card.set(.isGone) }),
        StagedBox(.sound, "sound card pulled", card, hurt: { hardware, _ in hardware.card.set(.isGone) }),
        StagedBox(.sound, "muted", card, hurt: { _, box in _ = try box.answer("mute", "on") }),
        StagedBox(.sound, "volume 0", card, hurt: { _, box in _ = try box.answer("volume", "0") }),
    ]
}
