// SPDX-License-Identifier: Apache-2.0
import Buffers
import Diagnosing
import Inspection
import JSON
import Scene
import Sound
import System
import TestSupport
import Time

@testable import Box
@testable import Codecs
@testable import Sound

/// A box of which one thing is wrong, or nothing, and what it can be hurt by.
struct StagedBox: Sendable {
    /// What a box of the test has instead of hardware, and where it is.
    final class Hardware {
        let venue: StagedVenue
        let screen = FaultyScreen(size: PixelSize(width: 320, height: 180))
        let device = FaultyDevice()
        let card = LatestValue<FaultyCard.Fault?>(nil)

        init(in venue: StagedVenue) { self.venue = venue }
    }

    let name: String
    /// The link that is to be named; nil for a healthy box.
    let link: ChainLink?
    let settings: JSONValue
    let prepare: @Sendable (Hardware, inout BoxOptions) throws -> Void
    /// Done once the box plays; nil if it plays as it was prepared, or never plays.
    let hurt: (@Sendable (Hardware, RunningBox) throws -> Void)?

    init(
        _ link: ChainLink?, _ name: String, _ patch: JSONValue = [:],
        announcer: StagedVenue.Announcer = .good,
        prepare: @escaping @Sendable (Hardware, inout BoxOptions) throws -> Void = { _, _ in },
        hurt: (@Sendable (Hardware, RunningBox) throws -> Void)? = nil
    ) {
        (self.link, self.name, self.prepare, self.hurt) = (link, name, prepare, hurt)
        settings = Self.usual(announcer).merging(patch: patch)
    }

    private static func usual(_ announcer: StagedVenue.Announcer) -> JSONValue {
        [
            "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "announcements": [
                "groups": [
                    [
                        "address": .string(StagedVenue.announcements),
                        "port": .integer(Int64(announcer.rawValue)),
                    ]
                ]
            ],
            "output": ["width": 320, "height": 180, "transitionMs": 0], "sound": ["kind": "null"],
            "log": ["level": "error"], "http": ["isEnabled": false],
            "playback": ["autoTune": "One", "playoutDelayMs": 300, "historyMs": 2_000, "historyLimitMB": 8],
        ]
    }

    /// A setting for a channel of the settings in place of the one that is announced.
    static func channel(_ stream: StagedVenue.Stream, _ patch: JSONValue = [:]) -> JSONValue {
        let channel: JSONValue = [
            "name": "Own", "address": .string(FaultySender.group), "port": .integer(Int64(stream.rawValue)),
            "encapsulation": "rtp",
        ]
        return ["channels": [channel.merging(patch: patch)], "playback": ["autoTune": "Own"]]
    }

    static let screen: JSONValue = ["output": ["kind": "kms", "drawing": "processor"]]
    static let card: JSONValue = ["sound": ["kind": "alsa", "unmute": false]]

    /// - Parameter machine: directory of files as the kernel has them.
    func start(in venue: StagedVenue, on machine: String) throws -> (box: RunningBox, hardware: Hardware) {
        let hardware = Hardware(in: venue)
        var problem: (any Error)?
        let box = try RunningBox(settings) { options in
            options.inspection = MachineInspection(root: machine)
            options.decoders = { [device = hardware.device] in device.inventory }
            options.decoderOpener = { [device = hardware.device] (_, _, _) throws(DecoderFault) in try device.open() }
            options.devices.cards = hardware.screen.search
            options.devices.sound = { [card = hardware.card] settings in
                guard case .alsa = settings.output else { return NullSound() }
                return try ALSASound(FaultyCard(card), clock: SystemPacingClock())
            }
            do { try prepare(hardware, &options) } catch { problem = error }
        }
        if let problem {
            _ = box.end()
            throw problem
        }
        return (box, hardware)
    }
}
