// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import JSON
import Settings
import Testing
import Time
import Venue

@testable import Casting

@Suite struct HeadEndRepairTests {
    private func read(_ channels: [JSONValue]) throws -> HeadEndConfiguration {
        let document: JSONValue = [
            "streamer": ["id": "s"], "license": ["venueName": "v", "contentOwner": "c", "appDeveloper": "a"],
            "channels": .array(
                channels.enumerated().map { index, channel in
                    let standard: JSONValue = [
                        "number": .integer(Int64(index)), "name": "n", "address": .string("239.0.0.\(index)"),
                    ]
                    return standard.merging(patch: channel)
                }),
        ]
        return try HeadEndConfiguration(parsing: document.octets())
    }

    private func problems(_ channels: [JSONValue]) throws -> [String] {
        do {
            _ = try read(channels)
            return []
        } catch let SettingsError.invalid(problems) {
            return problems.map(\.description)
        }
    }

    private func announcedAndRead(_ channel: HeadEndConfiguration.CastChannel) throws -> Announcement {
        try channel.announcement.encoded.withUnsafeBytes { try Announcement(decoding: $0) }
    }

    @Test func windowsAreAnnouncedAndSentBesideTheChannel() throws {
        let channel = try read([
            [
                "port": 6_000, "bitrateKbps": 2_500, "via": "239.9.0.1", "playoutDelayMs": 3_000,
                "repair": [
                    "scheme": "windows", "sourcePackets": 100, "repairPackets": 30, "depth": 6, "spanMs": 1_500,
                ],
                "secondPath": ["address": "239.1.0.0", "interface": "lo", "skewMs": 10, "via": "239.9.0.2"],
                "plain": ["port": 7_000, "hasParity": true, "columns": 5, "rows": 4],
            ]
        ]).channels[0]
        let expected = RepairWindows(
            endpoint: FlowEndpoint(address: "239.0.0.0", port: 6_002), sourcePackets: 100, repairPackets: 30, depth: 6,
            span: .milliseconds(1_500))
        #expect(channel.announcement.transport.repair == .windows(expected))
        let second = SecondPath(
            endpoint: FlowEndpoint(address: "239.1.0.0", port: 6_000), skew: .milliseconds(10))
        #expect(channel.announcement.transport.secondPath == second)
        #expect(channel.announcement.playoutDelay == .milliseconds(3_000))
        #expect(try announcedAndRead(channel) == channel.announcement)
        let targets = channel.targets.map { "\($0.flow) \($0.address):\($0.port) \($0.interface ?? "-")" }
        let sent = [
            "media 239.9.0.1:6000 -", "media 239.9.0.2:6000 lo", "repair 239.9.0.1:6002 -", "plain 239.9.0.1:7000 -",
            "plainColumns 239.9.0.1:7002 -", "plainRows 239.9.0.1:7004 -",
        ]
        #expect(targets == sent)
        // Foreign players are told of the group that they can play.
        let described = try #require(channel.described).transport
        #expect(described.port == 7_000)
        guard case .parity(let parity) = described.repair else {
            Issue.record("no parity")
            return
        }
        #expect(parity.columns?.port == 7_002 && parity.rows?.port == 7_004)
        #expect(channel.plain?.parity == ParityShape(columns: 5, rows: 4, hasRows: true))
    }

    @Test func parityStandsOnThePortsOfConvention() throws {
        let channel = try read([["repair": ["scheme": "parity", "columns": 8, "rows": 5, "hasRows": false]]]).channels[
            0]
        guard case .parity(let parity) = channel.announcement.transport.repair else {
            Issue.record("no parity")
            return
        }
        #expect(parity.columns == FlowEndpoint(address: "239.0.0.0", port: 5_006) && parity.rows == nil)
        #expect(channel.parity == ParityShape(columns: 8, rows: 5, hasRows: false))
        #expect(channel.described?.transport == channel.announcement.transport)
        #expect(try announcedAndRead(channel) == channel.announcement)
    }

    @Test(arguments: ["windows", "parity"]) func theDelayIsAtLeastTheSpan(scheme: String) throws {
        for kilobits in [Int64(64), 500, 2_500, 20_000] {
            let channel = try read([["bitrateKbps": .integer(kilobits), "repair": ["scheme": .string(scheme)]]])
                .channels[0]
            let span = try #require(channel.announcement.transport.repair?.span)
            let delay = try #require(channel.announcement.playoutDelay)
            #expect(delay >= span && span >= .milliseconds(50) && delay <= .milliseconds(30_000))
        }
        let file = try read([["kind": "file", "file": "/a", "repair": ["scheme": .string(scheme)]]]).channels[0]
        #expect(file.announcement.transport.repair?.span == .milliseconds(2_000))
        #expect(file.announcement.playoutDelay == .milliseconds(2_200))
        let plain = try read([[:]]).channels[0]
        #expect(plain.announcement.playoutDelay == nil && plain.announcement.transport.repair == nil)
    }

    @Test func dataIsAnnouncedWithItsType() throws {
        let channel = try read([["kind": "data", "messages": ["a", "b"], "everyMs": 250, "bitrateKbps": 100]]).channels[
            0]
        #expect(channel.announcement.kind == .data && channel.announcement.contentType == "text/plain")
        #expect(channel.announcement.transport.encapsulation == .rtp(payloadType: 96))
        #expect(channel.described == nil)
        #expect(try announcedAndRead(channel) == channel.announcement)
        guard case .data(let data) = channel.content else {
            Issue.record("no data")
            return
        }
        #expect(data.schedule.interval == .milliseconds(250) && data.schedule.messages.count == 2)
        #expect(data.kilobitsPerSecond == 100)
    }

    @Test func messagesOfTheCommandLineAreForThoseWithoutTheirOwn() throws {
        var configuration = try read([["kind": "data", "messages": ["a"]], ["kind": "data"], [:]])
        configuration.sendMessages([OutgoingMessage(octets: [1])])
        let counts = configuration.channels.map { channel in
            if case .data(let data) = channel.content { data.schedule.hasPlaceholders } else { true }
        }
        #expect(counts == [true, false, true])
    }

    static let refusals: [(JSONValue, [String])] = [
        (
            ["encapsulation": "raw", "repair": ["scheme": "windows"]],
            ["/channels/0/repair: expected none with encapsulation \"raw\": bare packets have no sequence numbers"]
        ),
        (
            ["repair": ["scheme": "xor"]],
            ["/channels/0/repair/scheme is \"xor\"; expected one of windows, parity"]
        ),
        (
            ["repair": ["scheme": "windows", "sourcePackets": 200, "repairPackets": 56]],
            ["/channels/0/repair/repairPackets is 56; expected at most 55 beside 200 packets"]
        ),
        (
            ["repair": ["scheme": "windows", "depth": 65]],
            ["/channels/0/repair/depth is 65; expected an integer, 1...64"]
        ),
        (
            ["repair": ["scheme": "windows", "spanMs": 900], "playoutDelayMs": 800],
            ["/channels/0/playoutDelayMs is 800; expected at least the repair's span, 900"]
        ),
        (
            ["repair": ["scheme": "windows", "port": 5_004]],
            ["/channels/0/repair/port is 5004; expected no channel before with address and port the same"]
        ),
        (
            ["port": 65_535, "repair": ["scheme": "windows"]],
            [
                "/channels/0/repair/port: expected a port, since the channel's + 2 is none",
                "/channels/0/repair/port is 65535; expected no channel before with address and port the same",
            ]
        ),
        (
            ["plain": ["port": 7_000]],
            [
                "/channels/0/plain: expected none but beside pictures with repair by windows: others play the channel itself"
            ]
        ),
        (
            ["secondPath": ["skewMs": 10]],
            ["/channels/0/secondPath/port is 5004; expected no channel before with address and port the same"]
        ),
        (
            ["kind": "data", "encapsulation": "raw"],
            ["/channels/0/encapsulation is \"raw\"; expected \"rtp\" for data"]
        ),
        (
            ["kind": "data", "payloadType": 33, "contentType": "text"],
            [
                "/channels/0/payloadType is 33; expected 96...127 for data",
                "/channels/0/contentType is \"text\"; expected a media type like text/plain",
            ]
        ),
        (
            ["kind": "data", "repair": ["scheme": "parity"]],
            [
                "/channels/0/repair/scheme is \"parity\"; expected \"windows\" for data: blocks of parity are not full until more comes"
            ]
        ),
    ]

    @Test(arguments: ["loss", "repair", "data"]) func theExamplesAreReadAndAnnounced(name: String) throws {
        let file = HeadEndConfigurationTests.folder.appending(path: "headend/\(name).json")
        let configuration = try HeadEndConfiguration(parsing: [UInt8](try Data(contentsOf: file)))
        for channel in configuration.channels {
            #expect(try announcedAndRead(channel) == channel.announcement)
            guard case .windows(let windows) = channel.announcement.transport.repair else { continue }
            #expect(windows.isSupported)
        }
    }

    @Test func refusalsNameFieldValueAndExpectation() throws {
        for (channel, expected) in Self.refusals { #expect(try problems([channel]) == expected) }
    }
}
