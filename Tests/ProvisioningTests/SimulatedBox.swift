// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import TestSupport
import Time

@testable import Provisioning

/// One of the boxes of a venue: it gets what the network leaves of the datagrams, and has a disk that takes its time.
struct SimulatedBox {
    struct Datagram {
        let octets: [UInt8]
        let sent: Monotonic
        let source: String
    }

    /// When each command acted, by its sequence.
    private(set) var acted: [(sequence: Int64, channel: String?, at: Monotonic)] = []
    private(set) var refused: [CommandRefusal.Reason: Int] = [:]
    private(set) var copies = 0
    private var reception: CommandReception
    private var network: SimulatedNetwork
    private var random: SplitMix64
    /// When the file is on the disk that is being written.
    private var written: Monotonic?
    /// The clock of the box is so far off the sender's.
    private let skew: Nanoseconds
    private let start: WallTime

    init(_ admission: GroupCommandAdmission, _ loss: SimulatedNetwork.Loss, start: WallTime, seed: UInt64) {
        random = SplitMix64(seed: seed)
        reception = CommandReception(admission)
        network = SimulatedNetwork(loss, &random)
        skew = Nanoseconds(Int64.random(in: -2_000_000_000...2_000_000_000, using: &random))
        self.start = start
    }

    /// - Parameter datagrams: in the order in which they are sent.
    mutating func run(_ datagrams: [Datagram]) {
        var arrivals: [(at: Monotonic, datagram: Datagram)] = []
        for datagram in datagrams {
            if let at = network.send(at: datagram.sent, &random) { arrivals.append((at, datagram)) }
        }
        arrivals.sort { $0.at < $1.at }
        for arrival in arrivals {
            finishWriting(before: arrival.at)
            receive(arrival.datagram, at: arrival.at)
        }
        finishWriting(before: Monotonic(nanoseconds: .max))
    }

    private mutating func receive(_ datagram: Datagram, at now: Monotonic) {
        let wall = WallTime(nanoseconds: start.nanoseconds + now.nanoseconds + skew.count)
        let clock = OrderClock(now: wall, isSet: true, built: WallTime(nanoseconds: 0))
        do throws(CommandRefusal) {
            if let actions = try reception.received(datagram.octets, from: datagram.source, at: clock, now) {
                perform(actions, at: now)
            } else {
                copies += 1
            }
        } catch {
            refused[error.reason, default: 0] += 1
        }
    }

    private mutating func finishWriting(before end: Monotonic) {
        while let now = written, now <= end {
            written = nil
            perform(reception.written(nil), at: now)
        }
    }

    private mutating func perform(_ actions: [CommandReception.Action], at now: Monotonic) {
        for action in actions {
            switch action {
            case .write: written = now + .milliseconds(Int64.random(in: 2...25, using: &random))
            case .run(let admitted):
                acted.append((admitted.command.sequence, admitted.request.text("channel"), max(now, admitted.due)))
            case .refuse: preconditionFailure("the disk takes all")
            }
        }
    }
}
