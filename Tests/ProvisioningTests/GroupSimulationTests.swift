// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import SignedEnvelopes
import Signing
import Synchronization
import TestSupport
import Testing
import Time

@testable import Provisioning

/// G-33, issue 21, show 5: a thousand boxes get a hundred group commands through a network that loses 5 %, each datagram by
/// itself or in bursts, and among others that are forged, replayed, cut or for others.
@Suite(.serialized) struct GroupSimulationTests {
    /// A thousand in the soak.
    private static let boxes = Effort.seeds(60).count
    private static let commands = 100
    private static let within = Nanoseconds.milliseconds(300)
    /// Between the first copies of two commands.
    private static let interval = Nanoseconds.milliseconds(500)

    private static let losses = [
        SimulatedNetwork.Loss(share: 0.05, mean: .zero), SimulatedNetwork.Loss(share: 0.05, mean: .milliseconds(10)),
        SimulatedNetwork.Loss(share: 0.05, mean: .milliseconds(30)),
    ]

    /// The chances as they are calculated; in bursts of 38 ms one box in ten thousand misses a command.
    @Test func theCopiesSuffice() {
        let chances = Self.losses.map { $0.all(SignedCommand.copies) }
        #expect(abs(chances[0] - pow(0.05, 6)) < 1e-12)
        #expect(chances.allSatisfy { $0 < 0.000_05 }, "\(chances)")
        let last = (1...80).last { mean in
            SimulatedNetwork.Loss(share: 0.05, mean: .milliseconds(Int64(mean))).all(SignedCommand.copies) < 0.000_1
        }
        print("group commands: lost with all copies \(chances), bursts up to \(last ?? 0) ms lose one in ten thousand")
        #expect(last == Self.longestBurst)
        #expect(SignedCommand.copies.first == .zero)
        #expect((SignedCommand.copies.last ?? .zero) + SimulatedNetwork.longestDelay + .milliseconds(25) < Self.within)
    }

    private static let longestBurst = 38

    @Test(arguments: losses.indices) func aThousandBoxesActTogether(index: Int) throws {
        let maker = try CommandMaker()
        let datagrams = try Self.datagrams(maker)
        let outcome = Mutex((acted: 0, late: 0, wrong: 0, copies: 0, refused: 0, slowest: Int64(0)))
        DispatchQueue.concurrentPerform(iterations: Self.boxes) { number in
            var box = SimulatedBox(
                maker.admission, Self.losses[index], start: OrderMaker.now, seed: UInt64(number) + Effort.seed)
            box.run(datagrams)
            let delays = box.acted.map { acted in
                acted.at - Monotonic(nanoseconds: (acted.sequence - 1_000) * Self.interval.count)
            }
            let sequences = box.acted.map(\.sequence)
            let isWrong =
                sequences != Set(sequences).sorted()
                || box.acted.contains { $0.channel != "\($0.sequence)" || !(1_000..<1_100).contains($0.sequence) }
            outcome.withLock { sum in
                sum.acted += delays.count { $0 <= Self.within }
                sum.late += delays.count { $0 > Self.within }
                sum.wrong += isWrong ? 1 : 0
                sum.copies += box.copies
                sum.refused += box.refused.values.reduce(0, +)
                sum.slowest = max(sum.slowest, delays.map(\.milliseconds).max() ?? 0)
            }
        }
        let sum = outcome.withLock { $0 }
        let all = Self.boxes * Self.commands
        print(
            """
            group commands: \(sum.acted) of \(all) acted within \(Self.within.milliseconds) ms, \(sum.late) later, the \
            slowest after \(sum.slowest) ms, \(sum.copies) copies, \(sum.refused) refused, bursts of \
            \(Self.losses[index].mean.milliseconds) ms
            """)
        #expect(Double(sum.acted) >= 0.999_9 * Double(all))
        #expect(sum.wrong == 0, "boxes that did something twice, out of order, or what nobody may ask for")
        #expect(sum.refused > all / 2 && sum.copies > all)
    }

    /// All datagrams of the venue in the order of sending: the copies of each command; and of an attacker, who hears
    /// everything, what he makes of it.
    private static func datagrams(_ maker: CommandMaker) throws -> [SimulatedBox.Datagram] {
        let stranger = try SigningKey(seed: [UInt8](repeating: 8, count: 32))
        var random = SplitMix64(seed: 21 + Effort.seed)
        var mutation = Mutation(seed: 22 + Effort.seed)
        var datagrams: [SimulatedBox.Datagram] = []
        var genuine: [[UInt8]] = []
        for number in 0..<commands {
            let start = Monotonic(nanoseconds: Int64(number) * interval.count)
            func time(_ seconds: Int64) -> JSONValue {
                .string(
                    WallTime(nanoseconds: OrderMaker.now.nanoseconds + start.nanoseconds + seconds * 1_000_000_000)
                        .description)
            }
            func command(_ sequence: Int, _ channel: String) throws -> SignedCommand {
                try CommandMaker.command(
                    Int64(sequence),
                    [
                        "sent": time(0), "expires": time(10), "target": ["all": .null, "group": "bar"],
                        "arguments": ["channel": .string(channel)],
                    ])
            }
            let octets = maker.octets(try command(1_000 + number, "\(1_000 + number)"))
            for copy in SignedCommand.copies {
                datagrams.append(SimulatedBox.Datagram(octets: octets, sent: start + copy, source: "head-end"))
            }
            genuine.append(octets)
            var other = try command(2_000 + number, "for others")
            other.target = .group("lobby")
            let forged = [
                maker.octets(try command(3_000 + number, "forged"), by: stranger),
                maker.octets(try command(1_001 + number, "ahead"), by: stranger),
                genuine[Int.random(in: 0...number, using: &random)],
                genuine[max(0, number - 1)] + [0x20], Array(octets.dropLast(Int.random(in: 1...400, using: &random))),
                changed(octets, &mutation), maker.octets(other),
            ]
            for octets in forged {
                let sent = start + Nanoseconds(Int64.random(in: 0..<interval.count, using: &random))
                datagrams.append(SimulatedBox.Datagram(octets: octets, sent: sent, source: "attacker"))
            }
        }
        return datagrams.sorted { $0.sent < $1.sent }
    }

    /// Damaged where it matters: within the payload or the signature.
    private static func changed(_ octets: [UInt8], _ mutation: inout Mutation) -> [UInt8] {
        var result = mutation.damage(octets)
        if result.count > 60 { result[40] ^= 1 }
        return result
    }
}
