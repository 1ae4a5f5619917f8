// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// "Shows 3": the box counts what a sender's ledger says, each datagram once.
    @Suite struct LedgerTests {
        /// What a sender can do, under the counter's name.
        private enum Entry: String, CaseIterable {
            case good = "channelsAdded"
            case wrongLicense = "licenseMismatchAnnouncements"
            case oldVersion = "versionMismatchAnnouncements"
            case notAllowed = "announcementsNotAllowed"
            case badJSON = "invalidJsonAnnouncements"
            case malformed = "announcementsMalformed"
            case encrypted = "lineUp/announcementsEncrypted"
        }

        /// What the announced channels have for an address.
        private let cast = Group()

        @Test func countersEqualTheSendersLedger() async throws {
            try await TestVenue.open { venue in
                let group = Group()
                let box = try await BoxProcess(
                    ["announcements": ["groups": [group.json], "deny": ["127.0.0.2"]]], in: venue)
                let allowed = try DatagramSender(to: group)
                let denied = try DatagramSender(to: group, from: "127.0.0.2")
                var random = SplitMix64(seed: Interop.seed)
                var ledger: [Entry: Int64] = [:]
                for index in 0..<600 {
                    guard let entry = Entry.allCases.randomElement(using: &random) else { continue }
                    ledger[entry, default: 0] += 1
                    // Ten sessions of each kind: known ones come again, as announcements do.
                    let packet = packet(entry, number: index % 10, random: &random)
                    try (entry == .notAllowed ? denied : allowed).send(packet)
                }
                _ = try await eventually(within: .seconds(10)) {
                    try await box.counter("/announcementsReceived") >= 600
                }
                for entry in Entry.allCases where entry != .good {
                    let counted = try await box.counter("/" + entry.rawValue)
                    #expect(counted == ledger[entry, default: 0], "\(entry.rawValue), seed \(Interop.seed)")
                }
                #expect(try await box.counter("/announcementsReceived") == 600)
                let names = try await box.channelNames
                #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix("good") }, "\(names)")
                #expect(try await box.counter("/channelsAdded") == Int64(names.count))
                let others = try await box.counters(
                    "/lineUp/announcementsUnknownType", "/lineUp/announcementsUnplayable",
                    "/lineUp/announcementsConflicting", "/lineUp/announcementsOverflowing", "/lineUp/announcementsTwin")
                #expect(others == [0, 0, 0, 0, 0])
                let streamers = try await box.answer("streamers")["streamers"]?.array ?? []
                let refused = streamers.filter { $0["isAllowed"] == false }.compactMap { $0["address"]?.string }
                #expect(refused == ["127.0.0.2"])
            }
        }

        private func packet(_ entry: Entry, number: Int, random: inout SplitMix64) -> [UInt8] {
            var maker = AnnouncementMaker(group: cast)
            switch entry {
            case .good: return maker.channel("good \(number)", number: number)
            case .wrongLicense:
                // Two parts of three equal, and case counts.
                let wrong: [JSONValue] = [
                    ["venueName": "arena"], ["contentOwner": "Other"], ["appDeveloper": "touchline"],
                ]
                maker.license = maker.license.merging(patch: wrong[number % 3])
                return maker.channel("wrong", number: 100 + number)
            case .oldVersion:
                maker.version = .integer(Int64.random(in: -1...0, using: &random))
                return maker.channel("old", number: 200 + number)
            case .notAllowed: return maker.channel("denied", number: 300 + number)
            case .badJSON:
                let whole = maker.channel("bad", number: 400 + number)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: return Array(whole.dropLast(Int.random(in: 1...40, using: &random)))
                case 1: return AnnouncementMaker.packet("{\"version\":1,\"kind\":\"video\"}")
                default: return AnnouncementMaker.packet("[\(number)")
                }
            case .malformed:
                let whole = maker.channel("malformed", number: 500 + number)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: return Array(whole.prefix(Int.random(in: 1...20, using: &random)))
                case 1: return [0x40] + whole.dropFirst()  // SAP version 2
                case 2: return [0x21] + whole.dropFirst()  // compressed
                default: return AnnouncementMaker.packet("v=0\r\no=broken\r\n", type: "application/sdp")
                }
            case .encrypted: return [0x22] + maker.channel("encrypted", number: 600 + number).dropFirst()
            }
        }
    }
}
