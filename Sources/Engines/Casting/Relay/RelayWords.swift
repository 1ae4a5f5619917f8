// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Parses the words of a relay's command line into a plan.
struct RelayWords {
    struct Refusal: Error {
        let text: String

        init(_ text: String) { self.text = text }

        init(_ option: String, _ value: String, _ expected: String) {
            text = "\(option) is '\(value)'; expected \(expected)"
        }
    }

    private var rest: ArraySlice<String>
    private var plan = RelayPlan()
    /// Endpoints by path, then by option in the order of the command line.
    private var from: [[[FlowEndpoint]]] = [[], []]
    private var to: [[[FlowEndpoint]]] = [[], []]
    private var outage: Nanoseconds?
    private var every: Nanoseconds?

    private static let mostFlows = 64
    private static let longestTime = Nanoseconds.seconds(3_600)

    init(_ words: ArraySlice<String>) { rest = words }

    /// - Returns: nil when help was asked for.
    mutating func read() throws(Refusal) -> RelayPlan? {
        while let word = rest.popFirst() {
            if word == "--help" || word == "-h" { return nil }
            try take(word)
        }
        try pairFlows()
        try checkConditions()
        return plan
    }

    private mutating func take(_ option: String) throws(Refusal) {
        switch option {
        case "--from": from[0].append(try endpoints(option))
        case "--to": to[0].append(try endpoints(option))
        case "--second-from": from[1].append(try endpoints(option))
        case "--second-to": to[1].append(try endpoints(option))
        case "--interface": plan.interface = try interface(option)
        case "--out": plan.outInterface = try interface(option)
        case "--hops": plan.hops = try integer(option, 1...255)
        case "--loss": plan.conditions.loss = try share(option)
        case "--burst": plan.conditions.meanBurst = try number(option, 1...1_000)
        case "--reorder": plan.conditions.reorder = try share(option)
        case "--duplicate": plan.conditions.duplicate = try share(option)
        case "--hold": plan.conditions.hold = try time(option)
        case "--corrupt": plan.conditions.corrupt = try share(option)
        case "--delay": plan.conditions.delay = try time(option)
        case "--jitter": plan.conditions.jitter = try time(option)
        case "--outage": outage = try time(option)
        case "--every": every = try time(option)
        case "--seed": plan.seed = try integer(option, 0...UInt64.max)
        case "--ledger": plan.ledger = try value(option, "a file or -")
        case "--seconds": plan.duration = .seconds(try integer(option, 1...604_800))
        default: throw Refusal("'\(option)' is no option of relay; --help lists them")
        }
    }

    private mutating func pairFlows() throws(Refusal) {
        for path in 0...1 {
            let option = path == 0 ? "--from" : "--second-from"
            let target = path == 0 ? "--to" : "--second-to"
            guard from[path].count == to[path].count else {
                throw Refusal("\(option) is there \(from[path].count) times and \(target) \(to[path].count) times")
            }
            for (heard, sent) in zip(from[path], to[path]) {
                guard let base = heard.first, let aim = sent.first else { continue }
                guard sent.count == 1 || sent.count == heard.count else {
                    throw Refusal("\(target) has \(sent.count) ports; expected 1 or the \(heard.count) of \(option)")
                }
                for (index, flow) in heard.enumerated() {
                    let port = Int(aim.port) + Int(flow.port) - Int(base.port)
                    guard index < sent.count || (1...65_535).contains(port) else {
                        throw Refusal(target, aim.text, "a port that leaves room for the others")
                    }
                    let end =
                        index < sent.count
                        ? sent[index] : FlowEndpoint(address: aim.address, port: UInt16(clamping: port))
                    plan.flows.append(RelayPlan.Flow(from: flow, to: end, path: path))
                }
            }
        }
        guard !from[0].isEmpty else { throw Refusal("--from GROUP:PORT is missing") }
        guard plan.flows.count <= Self.mostFlows else {
            throw Refusal("there are \(plan.flows.count) flows; expected at most \(Self.mostFlows)")
        }
        let heard = Set(plan.flows.map(\.from))
        guard heard.count == plan.flows.count else { throw Refusal("--from has a group and port twice") }
        if let loop = plan.flows.first(where: { heard.contains($0.to) }) {
            throw Refusal("--to", loop.to.text, "a group and port that is not heard as well")
        }
    }

    private mutating func checkConditions() throws(Refusal) {
        if let burst = plan.conditions.meanBurst {
            let most = ImpairmentConditions.mostLoss(meanBurst: burst)
            guard plan.conditions.loss <= most || plan.conditions.loss == 1 else {
                throw Refusal(
                    "--loss", "\(plan.conditions.loss * 100)%", "at most \(most * 100)% in bursts of \(burst), or 100%")
            }
        }
        switch (outage, every) {
        case (nil, nil): break
        case (nil, _?): throw Refusal("--every says nothing without --outage")
        case (_?, nil): throw Refusal("--outage needs --every")
        case (let length?, let period?):
            guard length > .zero, period >= length * 2 else {
                throw Refusal("--every", "\(period.milliseconds)ms", "at least twice the --outage, which is not 0")
            }
            plan.conditions.outage = .init(length: length, period: period)
        }
    }

    private mutating func value(_ option: String, _ expected: String) throws(Refusal) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw Refusal("\(option) needs \(expected)") }
        return value
    }

    private mutating func interface(_ option: String) throws(Refusal) -> String {
        let expected = "the name of an interface, 1...15 characters"
        let value = try value(option, expected)
        guard value.utf8.count <= 15 else { throw Refusal(option, value, expected) }
        return value
    }

    private mutating func integer<Number: FixedWidthInteger>(
        _ option: String, _ range: ClosedRange<Number>
    ) throws(Refusal) -> Number {
        let expected = "an integer, \(range.lowerBound)...\(range.upperBound)"
        let value = try value(option, expected)
        guard let number = Number(value), range.contains(number) else { throw Refusal(option, value, expected) }
        return number
    }

    private mutating func number(_ option: String, _ range: ClosedRange<Double>) throws(Refusal) -> Double {
        let expected = "a number, \(Int(range.lowerBound))...\(Int(range.upperBound))"
        let value = try value(option, expected)
        guard let number = Self.decimal(value[...]), range.contains(number) else {
            throw Refusal(option, value, expected)
        }
        return number
    }

    private mutating func share(_ option: String) throws(Refusal) -> Double {
        let expected = "a share like 5% or 0.05, 0...100%"
        let value = try value(option, expected)
        let isPercent = value.hasSuffix("%")
        guard let number = Self.decimal(isPercent ? value.dropLast() : value[...]), number <= (isPercent ? 100 : 1)
        else { throw Refusal(option, value, expected) }
        return isPercent ? number / 100 : number
    }

    private mutating func time(_ option: String) throws(Refusal) -> Nanoseconds {
        let expected = "a time like 20ms or 1.5s, 0...1h"
        let value = try value(option, expected)
        let (digits, unit): (Substring, Double) =
            value.hasSuffix("ms") ? (value.dropLast(2), 1e6) : value.hasSuffix("s") ? (value.dropLast(), 1e9) : ("", 0)
        guard let number = Self.decimal(digits), number * unit <= Double(Self.longestTime.count) else {
            throw Refusal(option, value, expected)
        }
        return Nanoseconds(Int64(number * unit))
    }

    /// A decimal number of digits and a point; no sign, exponent, infinity or NaN.
    private static func decimal(_ text: Substring) -> Double? {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }

    private mutating func endpoints(_ option: String) throws(Refusal) -> [FlowEndpoint] {
        let expected = "GROUP:PORT[,PORT...] like 239.1.1.1:5004,5006 or [ff15::1]:5004"
        let value = try value(option, expected)
        guard let colon = value.lastIndex(of: ":") else { throw Refusal(option, value, expected) }
        var host = value[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard let address = NumericAddress(String(host)), address.isMulticast || address.isUnicast else {
            throw Refusal(option, value, expected)
        }
        let ports = value[value.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
        guard ports.count <= Self.mostFlows else { throw Refusal(option, value, expected) }
        var endpoints: [FlowEndpoint] = []
        for port in ports {
            guard let number = UInt16(port), number > 0 else { throw Refusal(option, value, expected) }
            endpoints.append(FlowEndpoint(address: address.description, port: number))
        }
        return endpoints
    }
}
