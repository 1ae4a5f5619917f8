// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Messages as the servers and clients of pydvbcss were seen to exchange them. What was shortened when they were written
/// down is filled in: the second timeline, the end of the second content identifier, two content times.
enum Captured {
    static let request = [UInt8](hexadecimal: "00000000000000000000047b0ef811ed" + none + none)
    static let response = datagram("0001ed000001f400", transmit: "0000047b0f12eaca")
    static let responseBeforeFollowUp = datagram("0002ed000001f400", transmit: "0000047b33eaf28c")
    static let followUp = datagram("0003ed000001f400", transmit: "0000047b33eb5c14")

    private static let none = "0000000000000000"
    private static func datagram(_ head: String, transmit: String) -> [UInt8] {
        [UInt8](hexadecimal: head + "0000047b0ef811ed" + "0000047b0f115db6" + transmit)
    }

    static let contentID = "dvb://233a.1004.1044;363a~20130218T0915Z--PT00H45M"
    static let firstCII =
        #"{"protocolVersion":"1.1","contentId":"dvb://233a.1004.1044;363a~20130218T0915Z--PT00H45M","#
        + #""contentIdStatus":"final","presentationStatus":"okay","wcUrl":"udp://127.0.0.1:16677","#
        + #""tsUrl":"ws://127.0.0.1:17681/ts","timelines":[{"timelineSelector":"urn:dvb:css:timeline:pts","#
        + #""timelineProperties":{"unitsPerTick":1,"unitsPerSecond":90000}},"#
        + #"{"timelineSelector":"urn:dvb:css:timeline:temi:1:1","#
        + #""timelineProperties":{"unitsPerTick":1,"unitsPerSecond":1000,"accuracy":0.01}}]}"#
    static let status = #"{"presentationStatus":"transitioning"}"#
    static let content =
        #"{"contentId":"dvb://233a.1004.1044;364f~20130218T1000Z--PT00H30M","contentIdStatus":"final"}"#

    static let setup = #"{"contentIdStem":"dvb://233a","timelineSelector":"urn:dvb:css:timeline:pts"}"#
    static let playing = #"{"contentTime":"703963","wallClockTime":"1113285308466","timelineSpeedMultiplier":1.0}"#
    static let paused = #"{"contentTime":"703963","wallClockTime":"1113285308466","timelineSpeedMultiplier":0.0}"#
    static let unavailable = #"{"contentTime":null,"wallClockTime":"1147828508242","timelineSpeedMultiplier":null}"#
    static let presentation =
        #"{"actual":{"contentTime":"834190","wallClockTime":"115992000000"},"#
        + #""earliest":{"contentTime":"834190","wallClockTime":"minusinfinity"},"#
        + #""latest":{"contentTime":"834190","wallClockTime":"plusinfinity"}}"#
}
