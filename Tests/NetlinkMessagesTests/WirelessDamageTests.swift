// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio
import TestSupport
import Testing

@testable import NetlinkMessages

/// Messages that the kernel does not write: cut, of wrong lengths, beyond the limits, and damaged by a seed.
@Suite struct WirelessDamageTests {
    private struct Input: Sendable {
        let message: GenericNetlinkMessage
        let delivery: WirelessMessage.Delivery

        init(_ message: GenericNetlinkMessage, _ delivery: WirelessMessage.Delivery) {
            self.message = message
            self.delivery = delivery
        }
    }

    private static let inputs =
        RadioMessages.replies.map { Input($0, .reply) } + RadioMessages.events.map { Input($0, .multicast) }
        + [Input(RadioMessages.interface.multicast, .multicast)]

    /// Cut anywhere a message is refused, but where an attribute has ended: there the others are missing.
    @Test(arguments: inputs.indices) func truncation(index: Int) throws {
        let (message, delivery) = (Self.inputs[index].message, Self.inputs[index].delivery)
        let body = message.body
        var ends: Set<Int> = [4]
        for attribute in message.attributes {
            let start = ends.max() ?? 4
            ends.formUnion(start + attribute.length...start + attribute.octets.count)
        }
        #expect(ends.contains(body.count))
        _ = try GenericNetlinkMessage.read(body, delivery)
        for count in body.indices {
            let error = thrown(WireError.self) { try GenericNetlinkMessage.read(Array(body[..<count]), delivery) }
            #expect((error?.offset ?? 0) <= count)
            if ends.contains(count) { continue }
            guard case .truncated = error?.reason else {
                Issue.record("\(count) octets: \(error?.description ?? "it is read")")
                continue
            }
        }
    }

    @Test func truncatedDatagrams() throws {
        let messages = [RadioMessages.station.octets, RadioMessages.connected.octets, RadioMessages.survey.octets]
        let datagram = Array(messages.joined())
        #expect(try GenericNetlinkMessage.parse(datagram).count == 3)
        var ends: [Int: Int] = [0: 0]
        for number in 1...3 { ends[messages.prefix(number).joined().count] = number }
        for count in datagram.indices {
            let cut = Array(datagram[..<count])
            if let number = ends[count] {
                #expect(try GenericNetlinkMessage.parse(cut).count == number)
            } else {
                #expect(thrown(WireError.self) { try GenericNetlinkMessage.parse(cut) } != nil, "\(count) octets")
            }
        }
    }

    /// Without what says whose figures they are, figures are of no use.
    @Test func withoutASubject() {
        func refusal(_ command: UInt8, _ attributes: [NetlinkAttribute]) -> WireError.Reason? {
            GenericNetlinkMessage(command: command, attributes).refusal
        }
        let address: NetlinkAttribute = .octets(6, RadioMessages.accessPoint)
        #expect(refusal(7, [.u32(3, 4)]) == .invalid("nl80211 interface without radio", 0))
        #expect(refusal(19, [.u32(3, 4)]) == .invalid("nl80211 station without interface or address", 0))
        #expect(refusal(19, [address]) == .invalid("nl80211 station without interface or address", 0))
        #expect(refusal(51, [.nested(84, [])]) == .invalid("nl80211 survey without interface", 0))
        #expect(refusal(34, [.u32(3, 4)]) == .invalid("nl80211 scan result without BSS", 0))
        #expect(refusal(31, []) == .invalid("nl80211 regulatory domain without name", 0))
    }

    /// Attributes of a message, or those that are nested in one of its own.
    private struct Part: Sendable {
        let attributes: [NetlinkAttribute]
        /// Types of those that always have the same length.
        let fixed: [UInt16]
        let message: @Sendable ([NetlinkAttribute]) -> GenericNetlinkMessage
    }

    private static let parts = [
        Part(attributes: RadioMessages.interface.attributes, fixed: [1, 3, 5, 6, 38, 98, 159, 160]) {
            GenericNetlinkMessage(command: 7, $0)
        },
        Part(attributes: RadioMessages.station.attributes, fixed: [3, 6]) { GenericNetlinkMessage(command: 19, $0) },
        Part(
            attributes: RadioMessages.stationInfo,
            fixed: [1, 2, 3, 7, 9, 10, 11, 12, 13, 16, 18, 23, 24, 27, 28, 29, 30, 32, 36, 37, 39]
        ) {
            GenericNetlinkMessage(
                command: 19, [.u32(3, 4), .octets(6, RadioMessages.accessPoint), .nested(21, $0)])
        },
        Part(attributes: RadioMessages.surveyInfo, fixed: [1, 2, 4, 5, 6, 7, 8]) {
            GenericNetlinkMessage(command: 51, [.u32(3, 4), .nested(84, $0)])
        },
        Part(attributes: RadioMessages.network, fixed: [1, 2, 4, 5, 7, 9, 10]) {
            GenericNetlinkMessage(command: 34, [.u32(3, 4), .nested(47, $0)])
        },
    ]

    @Test(arguments: parts.indices) func anotherLengthIsRefused(index: Int) throws {
        let part = Self.parts[index]
        #expect(part.message(part.attributes).refusal == nil)
        for type in part.fixed {
            let place = try #require(part.attributes.firstIndex { $0.type == type })
            let value = part.attributes[place].value
            for other in [Array(value.dropLast()), value + [0], []] {
                var attributes = part.attributes
                attributes[place].value = other
                let refusal = part.message(attributes).refusal
                #expect(refusal == .invalid("netlink attribute length", UInt64(other.count)), "attribute \(type)")
            }
        }
    }

    @Test func unknownAttributesAreSkipped() throws {
        for input in Self.inputs {
            var more = input.message
            more.attributes.insert(.octets(0x3fff, [1, 2, 3]), at: 0)
            more.attributes.append(.nested(299, [.octets(1, [1])]))
            let expected = try GenericNetlinkMessage.read(input.message.body, input.delivery)
            #expect(try expected == GenericNetlinkMessage.read(more.body, input.delivery))
        }
    }

    @Test func countsAreBounded() {
        func station(antennas: Int) -> GenericNetlinkMessage {
            let signals = (0..<antennas).map { NetlinkAttribute.s8(UInt16($0), -50) }
            var message = RadioMessages.station
            message.attributes.append(.nested(21, [.nested(25, signals)]))
            return message
        }
        #expect(station(antennas: 16).refusal == nil)
        #expect(station(antennas: 17).refusal == .limit("nl80211 antennas", 16))
        func survey(attributes: Int) -> GenericNetlinkMessage {
            GenericNetlinkMessage(
                command: 51, [.u32(3, 4)] + [NetlinkAttribute](repeating: .flag(299), count: attributes - 1))
        }
        #expect(survey(attributes: NetlinkHeader.mostAttributes).refusal == nil)
        let most = UInt64(NetlinkHeader.mostAttributes)
        #expect(survey(attributes: NetlinkHeader.mostAttributes + 1).refusal == .limit("netlink attributes", most + 1))
    }

    /// Whatever arrives is read or refused, and what is read keeps its bounds.
    @Test(arguments: Effort.batches(100_000)) func mutationsNeverTrap(seeds: ClosedRange<UInt64>) {
        let bodies = Self.inputs.map { $0.message.body }
        var (read, refused) = (0, 0)
        var broken: [UInt64] = []
        for seed in seeds {
            var mutation = Mutation(seed: seed &+ Effort.seed)
            let index = Int(seed % UInt64(bodies.count))
            let damaged = mutation.damage(bodies[index])
            do {
                let message = try GenericNetlinkMessage.read(damaged, Self.inputs[index].delivery)
                if !Self.isBounded(message) { broken.append(seed) }
                read += 1
            } catch {
                refused += 1
            }
        }
        #expect(broken.isEmpty)
        guard seeds.count >= 100 else { return }
        #expect(read * 20 > seeds.count && refused * 20 > seeds.count, "the draw is one-sided: \(read), \(refused)")
    }

    private static func isBounded(_ message: WirelessMessage) -> Bool {
        switch message {
        case .interface(let interface):
            (interface.ssid?.count ?? 0) <= 32 && (1...233).contains(interface.channel?.number ?? 1)
        case .station(let figures):
            (figures.chainSignals?.count ?? 0) <= 16 && (-128...127).contains(figures.signal ?? 0)
                && (figures.inactive ?? .zero) >= .zero && (figures.airtimeReceived ?? .zero) >= .zero
        case .survey(let survey): (survey.busy ?? .zero) >= .zero && (survey.active ?? .zero) >= .zero
        case .basicServiceSet(let network): (network.ssid?.count ?? 0) <= 32
        case .regulatoryDomain(let domain): domain.alpha2.utf8.count == 2
        case .event, .other: true
        case .done, .failed: false  // of datagrams only
        }
    }
}
