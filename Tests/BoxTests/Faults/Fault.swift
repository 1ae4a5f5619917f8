// SPDX-License-Identifier: Apache-2.0

/// What happens to a box in a venue.
enum Fault: String, CaseIterable {
    // Decoders.
    case decoderSwallows, decoderHangs, decoderHangsInRetunes, decoderFails, decoderGone
    // Screens.
    case screenLosesFlips, screenLosesModeset, screenRefuses, screenUnplugged, screenGone, screenLinkBad
    // Sound cards.
    case soundRunsDry, soundFreezes, soundGone
    // Clocks.
    case wallClockForth, wallClockBack
    // Senders.
    case flood, foreignStream, senderSilent, senderGone, sourceChanges, timeForth, timeBack, codecChanges
    case codecChangesOften, sizeChanges, scrambled, noTables
    // Multiplexers.
    case bare, cutPackets, countersRaised, soundLeftOut, soundLater, mapOverruns, oddPrefixes, stampsLeftOut
    // Networks.
    case burstLoss, independentLoss, reordering, duplicates, corruption, delay, linkDown, linkFlaps
    // Announcements.
    case playedIsWithdrawn, forgedDeletions, forgedAnnouncements
    // Clients.
    case halfLines, followersThatDoNotRead, viewersReset, followersReset
    // Settings.
    case delaySetting, sizeSetting, damageSetting, decodingSetting, soundSetting, channelSetting, interfaceSetting
    // Commands.
    case channelChanges, rewinds, pauses, longPause, file, missingFile, layouts, regions, texts, screenshots

    /// Whether pictures go on while it lasts, perhaps after a break of five seconds.
    var isPlayedThrough: Bool {
        switch self {
        case .decoderSwallows, .decoderFails, .decoderGone, .soundRunsDry, .soundFreezes, .soundGone, .wallClockForth,
            .wallClockBack, .sourceChanges, .timeForth, .timeBack, .codecChanges, .sizeChanges, .reordering,
            .duplicates, .delay,
            .forgedDeletions, .forgedAnnouncements, .halfLines, .followersThatDoNotRead, .viewersReset,
            .followersReset, .delaySetting, .sizeSetting, .damageSetting, .decodingSetting, .soundSetting,
            .screenshots, .layouts, .regions, .texts, .bare, .cutPackets, .countersRaised, .soundLeftOut, .soundLater,
            .mapOverruns, .oddPrefixes, .stampsLeftOut:
            true
        default: false
        }
    }
}
